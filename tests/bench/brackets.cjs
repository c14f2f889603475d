// brackets-manager: a double elimination created and every result reported; prints results/s.
const { BracketsManager } = require("brackets-manager");
const { InMemoryDatabase } = require("brackets-memory-db");

const READY = 2;
const REPEATS = 5;
const players = Array.from({ length: Number(process.argv[2]) }, (_, i) => `Player ${i + 1}`);

async function play() {
  const storage = new InMemoryDatabase();
  const manager = new BracketsManager(storage);
  await manager.create.stage({
    name: "Main",
    tournamentId: 0,
    type: "double_elimination",
    seeding: players,
    settings: { grandFinal: "double" },
  });
  let reported = 0;
  for (let before = -1; before < reported; ) {
    before = reported;
    for (const { id } of storage.data.match) {
      if (storage.data.match[id].status !== READY) continue;
      await manager.update.match({ id, opponent1: { score: 1, result: "win" }, opponent2: { score: 0 } });
      reported += 1;
    }
  }
  return reported;
}

(async () => {
  const rates = [];
  for (let i = 0; i < REPEATS; i += 1) {
    const began = performance.now();
    const reported = await play();
    if (reported < 2 * players.length - 2) throw new Error(`only ${reported} were reported`);
    rates.push((reported * 1000) / (performance.now() - began));
  }
  console.log(rates.sort((a, b) => a - b)[Math.floor(REPEATS / 2)]);
})();
