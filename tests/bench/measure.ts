// Measures the page's cases (web/bench) in Node: this engine, plain JavaScript, the limit.
export { cases, rateOf } from "../../web/bench/cases";
export { measure, QUICK, USUAL } from "../../web/bench/measure";
