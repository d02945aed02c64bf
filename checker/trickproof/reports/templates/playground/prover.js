// Two workers: one answers, the other reads the text while it is typed, and takes over when the first is stopped.
const PATIENCE = 300;
const start = new URL("worker.js", import.meta.url).href;

class One {
  constructor(tell) {
    this.ready = false;
    this.solver = false;
    this.jobs = new Map();
    const text = `import ${JSON.stringify(start)};`;
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    this.worker = new Worker(url, { type: "module" });
    this.worker.addEventListener("message", ({ data }) => {
      if (data.state) {
        if (data.state === "ready") this.ready = true;
        if (data.state === "solver") this.solver = true;
        tell(this, data);
        return;
      }
      const job = this.jobs.get(data.id);
      if (["done", "failed", "left"].includes(data.item.kind)) this.jobs.delete(data.id);
      if (job) job(data.item);
    });
    this.worker.addEventListener("error", (event) => {
      tell(this, { state: "broken", message: event.message || "the worker cannot be started" });
    });
  }

  ask(id, request, solver, job) {
    this.jobs.set(id, job);
    this.worker.postMessage({ id, request, solver });
  }

  end() {
    this.worker.terminate();
    this.jobs.clear();
  }
}

export class Prover {
  // `tell` hears of `loading`, `ready`, `solver` and `broken`.
  constructor(solver, tell) {
    this.solver = solver;
    this.tell = tell;
    this.next = 1;
    this.current = null;
    this.wanted = 0;
    this.main = new One((one, state) => this.heard(one, state));
    this.spare = null;
  }

  get ready() {
    return this.main.ready;
  }

  heard(one, { state, message }) {
    if (one === this.main) this.tell(state, message);
    else if (state === "broken") this.spare = null;
    if (one === this.main && state === "ready") {
      if (!this.current) one.worker.postMessage({ solver: this.solver });
      this.spawn();
    }
  }

  spawn() {
    this.spare ??= new One((one, state) => this.heard(one, state));
  }

  // What the text says: by the worker that has nothing else to do.
  read(text, job) {
    const busy = this.main.jobs.size > 0 || !this.main.ready;
    const one = busy && this.spare && this.spare.ready ? this.spare : this.main;
    one.ask(this.next++, { do: "read", text }, null, job);
  }

  // One answer at a time: an earlier one is left first, and of several that wait the last is asked.
  async ask(request, job, needsSolver = true) {
    const id = this.next++;
    this.wanted = id;
    await this.leave();
    if (this.wanted !== id) return;
    const current = { id, job, ended: null };
    current.end = new Promise((resolve) => (current.ended = resolve));
    this.current = current;
    this.main.ask(id, request, needsSolver ? this.solver : null, (item) => {
      const over = ["done", "failed", "left"].includes(item.kind);
      if (over && this.current === current) this.current = null;
      if (over) current.ended();
      if (!current.dropped) job(item);
    });
  }

  // What is under way is left between two of its items; its worker is ended where that takes long, as nothing can interrupt it.
  async leave() {
    const current = this.current;
    if (!current) return;
    if (!current.dropped) {
      current.dropped = true;
      this.main.worker.postMessage({ leave: current.id });
      current.job({ kind: "left" });
    }
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, true));
    if ((await Promise.race([current.end, late])) && this.current === current) {
      if (this.spare && this.spare.ready) {
        this.current = null;
        current.ended();
        this.swap();
      } else await current.end;
    }
  }

  // Ends what is under way at once. Python goes on loading: nothing has begun before it is there.
  stop() {
    if (!this.current) return;
    const current = this.current;
    this.current = null;
    current.ended();
    if (this.main.ready) this.swap();
    else this.main.worker.postMessage({ leave: current.id });
    if (!current.dropped) current.job({ kind: "stopped" });
    current.dropped = true;
  }

  swap() {
    this.main.end();
    this.main = this.spare || new One((one, state) => this.heard(one, state));
    this.spare = null;
    if (this.main.ready) {
      this.tell("ready");
      this.main.worker.postMessage({ solver: this.solver });
      this.spawn();
    } else this.tell("loading");
  }
}
