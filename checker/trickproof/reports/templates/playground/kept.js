// What was found stays in the browser's database for the next visit: entries of trickproof's cache, which believes none of them unseen.
const ENTRY = /^(findings|pairs)-\d+\/[0-9a-f]{64}$/;
const MOST = 200;
const NAME = "found";

const asked = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

// Puts the entries that this build has written into a folder, drops those of other builds and the oldest, and answers with what
// writes the folder's new entries.
export const kept = async (FS, folder) => {
  const opening = indexedDB.open("trickproof", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(NAME);
  const database = await asked(opening);
  const store = () => database.transaction(NAME, "readwrite").objectStore(NAME);
  const held = store();
  const [paths, values] = await Promise.all([asked(held.getAllKeys()), asked(held.getAll())]);
  const entries = paths.map((path, number) => ({ path, ...values[number] })).sort((a, b) => b.time - a.time);
  const mine = ({ path }) => path.startsWith(`${folder}/`) && ENTRY.test(path.slice(folder.length + 1));
  const read = entries.filter(mine).slice(0, MOST);
  const times = new Map();
  const dropping = store();
  for (const entry of entries) if (!read.includes(entry)) dropping.delete(entry.path);
  for (const { path, content, time } of read) {
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")), 0o700);
    FS.writeFile(path, content, { mode: 0o600 });
    FS.chmod(path, 0o600);
    FS.utime(path, time, time);
    times.set(path, FS.stat(path).mtime.getTime());
  }
  const names = (place) => (FS.analyzePath(place).exists ? FS.readdir(place).filter((name) => !name.startsWith(".")) : []);
  return () => {
    for (const kind of names(folder)) {
      for (const name of names(`${folder}/${kind}`)) {
        const path = `${folder}/${kind}/${name}`;
        if (!ENTRY.test(`${kind}/${name}`)) continue;
        const time = FS.stat(path).mtime.getTime();
        if (times.get(path) === time) continue;
        times.set(path, time);
        store().put({ content: FS.readFile(path), time }, path);
      }
    }
  };
};
