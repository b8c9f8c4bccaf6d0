import * as v from "valibot";
import { meaning } from "./described-as.ts";

/** A variable of a path. @param what  such as "the schedule" */
export const idOf = (what: string) => meaning(v.string(), `Id of ${what}`);

type Noun = "agent" | "team" | "workflow" | "skill";
type IdEntry<N extends Noun> = Readonly<Record<`${N}_id`, v.StringSchema<undefined>>>;

/** The path variable with a component's id. The compiler does not follow the name through the computed key. */
export const idEntry = <N extends Noun>(noun: N) => ({ [`${noun}_id`]: idOf(`the ${noun}`) }) as IdEntry<N>;
