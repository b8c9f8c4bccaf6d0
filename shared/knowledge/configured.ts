/** The face of what a deployment configures: its bases, and where their vectors are. Nothing here loads a package. */
export { type BaseSelector, basesOf, type KnowledgeBase, selectBase } from "./base.ts";
export { vectorDbOf, vectorDbs } from "./vector-dbs.ts";
