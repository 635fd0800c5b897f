// A thread of the engine in Node: what its worker script finds in a browser, over node:worker_threads.
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

const scope = globalThis;
Object.assign(scope, {
  self: scope,
  location: { href: "" },
  importScripts: () => undefined,
  postMessage: (data, transfer) => parentPort.postMessage(data, transfer),
});
parentPort.on("message", (data) => scope.onmessage({ data }));
createRequire(import.meta.url)(workerData.script);
