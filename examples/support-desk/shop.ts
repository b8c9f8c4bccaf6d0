/** Stands in for your shop's API, so that the desk works at once. Replace its functions by calls of yours. */

export type Order = { readonly paid: number; readonly delivered: boolean };

const orders = new Map<string, Order>([
  ["A1", { paid: 40, delivered: false }],
  ["A2", { paid: 15, delivered: true }],
]);

export const orderOf = (id: string): Order | undefined => orders.get(id);

/**
 * Pays money back.
 *
 * @param key  what the shop knows the desk by; a real one would be sent with the request
 * @throws when the key is empty, or more is asked for than was paid
 */
export function refund(key: string, id: string, amount: number): string {
  if (key === "") throw new Error("The shop accepts no call without its key.");
  const order = orders.get(id);
  if (order === undefined) throw new Error(`There is no order ${id}.`);
  if (amount > order.paid) throw new Error(`Only ${order.paid} was paid for order ${id}.`);
  return `Refunded ${amount} for order ${id}.`;
}
