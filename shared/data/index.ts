/** How a write is said and sent, for stores and for what writes through them. Every other file is internal. */
export { backOff } from "./back-off.ts";
export { countThrottles } from "./count-throttles.ts";
export {
  above,
  absent,
  absentOr,
  anyOf,
  asSeen,
  atLeast,
  atMost,
  below,
  exists,
  type Guard,
  isNew,
  isNoText,
  isNot,
  isText,
  membersAsSeen,
  noneOf,
  oneOf,
  present,
  type Tests,
} from "./guard.ts";
export type { Item, Key } from "./item.ts";
export {
  countWrites,
  joined,
  type Part,
  type Parts,
  resultOf,
  type Transacted,
  transact,
  type Written,
  write,
  writeAndMeasure,
  writeAndRead,
  writeAndReplace,
} from "./write.ts";
export { BATCH_WRITES, writeBatch } from "./write-batch.ts";
export {
  appended,
  type Changes,
  checkItem,
  type Delete,
  deleteItem,
  given,
  guardedBy,
  ifAbsent,
  members,
  type Put,
  plus,
  putItem,
  type Update,
  updateItem,
  type Write,
} from "./writes.ts";
