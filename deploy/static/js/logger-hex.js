// A hexagonal board in the logger, larger than the screen: keep its scroll position when it is
// redrawn, then scroll to what may be tapped.

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

/** Scroll a board so that its tappable spaces, else the pieces in combat, are centred. */
function showKeys(board) {
  const keys = [...board.querySelectorAll(".hex-key")];
  const shown = keys.length ? keys : [...board.querySelectorAll(".fights")];
  if (!shown.length) return; // keep the position
  const boxes = shown.map((each) => each.getBoundingClientRect());
  const seen = board.getBoundingClientRect();
  const middle = (start, end) => (Math.min(...boxes.map((box) => box[start])) + Math.max(...boxes.map((box) => box[end]))) / 2;
  board.scrollBy(middle("left", "right") - (seen.left + seen.right) / 2, middle("top", "bottom") - (seen.top + seen.bottom) / 2);
}
