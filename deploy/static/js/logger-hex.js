// A board of hexagons at the logger, larger than the screen: it stays where the finger left it, and
// comes to what may be tapped.

export class Game {
  constructor({find}) {
    this.board = () => find(".hex-reach");
  }

  leaving() {
    const board = this.board();
    this.at = board && [board.scrollLeft, board.scrollTop];
  }

  drawn() {
    const board = this.board();
    if (this.at) board?.scrollTo(...this.at);
    this.at = null;
    if (board) showKeys(board);
  }
}

/** Bring what may be tapped on a board, or who fights there, to the middle of what is seen of it. */
function showKeys(board) {
  const keys = [...board.querySelectorAll(".hex-key")];
  const shown = keys.length ? keys : [...board.querySelectorAll(".fights")];
  if (!shown.length) return; // it stays where it was
  const boxes = shown.map((each) => each.getBoundingClientRect());
  const seen = board.getBoundingClientRect();
  const middle = (start, end) => (Math.min(...boxes.map((box) => box[start])) + Math.max(...boxes.map((box) => box[end]))) / 2;
  board.scrollBy(middle("left", "right") - (seen.left + seen.right) / 2, middle("top", "bottom") - (seen.top + seen.bottom) / 2);
}
