/** Makes room in the database: old works, and files that belong to none. */
import type { Work } from "./work";

/**
 * Deletes all but the newest works, and what only those had. The keys of the files deleted are in
 * the list when the transaction is complete.
 */
export function pruneWorks(transaction: IDBTransaction, keep: number): readonly string[] {
  const works = transaction.objectStore("works");
  const texts = transaction.objectStore("texts");
  const files = transaction.objectStore("files");
  const needed = new Set<string>();
  const deleted: string[] = [];
  let seen = 0;
  const request = works.index("savedAt").openCursor(null, "prev");
  request.onsuccess = () => {
    const cursor = request.result;
    if (cursor && seen++ < keep) {
      for (const { file } of (cursor.value as Work).inputs) if (file) needed.add(file.key);
      cursor.continue();
    } else if (cursor) {
      texts.delete(cursor.primaryKey);
      cursor.delete();
      cursor.continue();
    } else deleteFiles();
  };
  const deleteFiles = (): void => {
    const keys = files.getAllKeys();
    keys.onsuccess = () => {
      for (const key of keys.result) {
        if (typeof key !== "string" || needed.has(key)) continue;
        files.delete(key);
        deleted.push(key);
      }
    };
  };
  return deleted;
}
