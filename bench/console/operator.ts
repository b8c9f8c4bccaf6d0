import type { Locator, Page } from "playwright-core";

/** Does what an operator does, and counts it. */
export class Operator {
  readonly page: Page;
  clicks = 0;
  /** Fields that were typed into. */
  typed = 0;
  readonly #steps: string[] = [];

  constructor(page: Page) {
    this.page = page;
  }

  /** What was done, in order. */
  get path(): string {
    return this.#steps.join(" › ");
  }

  async click(what: Locator, name: string): Promise<void> {
    this.#steps.push(name);
    await what.first().click();
    this.clicks++;
  }

  /** Types into a field: a click into it, too. */
  async type(into: Locator, text: string, name: string): Promise<void> {
    this.#steps.push(`${name} “${text.slice(0, 20)}”`);
    await into.first().click();
    await into.first().fill(text);
    this.clicks++;
    this.typed++;
  }

  /** Types into a field that is ready to be written in. @throws where another has the focus */
  async typeHere(into: Locator, text: string, name: string): Promise<void> {
    this.#steps.push(`${name} “${text.slice(0, 20)}”`);
    await into.and(this.page.locator(":focus")).first().waitFor();
    await into.first().fill(text);
    this.typed++;
  }

  /** Goes to a screen by the navigation. */
  go(screen: string): Promise<void> {
    // A screen may have a count behind its name.
    const links = this.page.locator("nav[aria-label=Console]").getByRole("link");
    return this.click(links.filter({ hasText: new RegExp(`^${screen}`) }), screen);
  }

  button(name: string | RegExp): Promise<void> {
    return this.click(this.page.getByRole("button", { name, exact: typeof name === "string" }), nameOf(name));
  }

  link(name: string | RegExp): Promise<void> {
    return this.click(this.page.locator("main").getByRole("link", { name }), nameOf(name));
  }

  option(name: string | RegExp): Promise<void> {
    return this.click(this.page.getByRole("option", { name }), nameOf(name));
  }

  segment(name: string): Promise<void> {
    return this.click(this.page.getByRole("radio", { name, exact: true }), name);
  }

  item(name: string | RegExp): Promise<void> {
    return this.click(this.page.getByRole("menuitem", { name }), nameOf(name));
  }

  tab(name: string | RegExp): Promise<void> {
    return this.click(this.page.getByRole("tab", { name }), nameOf(name));
  }

  async check(name: string | RegExp): Promise<void> {
    this.#steps.push(nameOf(name));
    // The box lies over the control that it shows.
    await this.page.getByRole("checkbox", { name }).first().click({ force: true });
    this.clicks++;
  }

  /** Waits for what answers the task, on the screen or in a part of it. */
  sees(text: string | RegExp, within: Locator = this.page.locator("main, [role=dialog]")): Promise<void> {
    return within.getByText(text).first().waitFor();
  }

  /** Waits for a row of a list or a table that has all of these texts. */
  row(...texts: readonly RegExp[]): Promise<void> {
    const rows = this.page.locator("main").getByRole("row");
    return texts
      .reduce((of, hasText) => of.filter({ hasText }), rows)
      .first()
      .waitFor();
  }
}

const nameOf = (name: string | RegExp): string =>
  typeof name === "string" ? name : name.source.replaceAll("\\d+", "n").replaceAll(/[\\^$?]/g, "");
