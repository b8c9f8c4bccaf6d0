/**
 * How a team works:
 *
 *   coordinate  the leader hands tasks to members, reads their answers and writes its own
 *   route       the leader picks one member, whose answer is the team's
 *   broadcast   every member gets the task; the leader writes one answer from theirs
 *   tasks       the leader keeps a list of tasks with dependencies and works through it until the goal is reached
 */
export const teamModes = ["coordinate", "route", "broadcast", "tasks"] as const;
export type TeamMode = (typeof teamModes)[number];
