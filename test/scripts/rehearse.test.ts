import { describe, expect, test } from "vitest";
import {
  type Cloud,
  deleteStack,
  deployStack,
  FAILURE,
  newStack,
} from "../../scripts/rehearse/deploy-stack.ts";
import type { Asked } from "../../scripts/rehearse/imitation.ts";
import { inOrder, type Template, type TemplateResource } from "../../scripts/rehearse/template.ts";

/** A cloud that remembers what it was asked, and whose function publishes by content. */
function cloudThatRemembers() {
  const done: string[] = [];
  const published: string[] = [];
  const publish = (content: string): string => {
    if (published.at(-1) !== content) published.push(content);
    return String(published.length);
  };
  const cloud: Cloud = {
    exports: new Map(),
    report: () => {},
    async ask({ do: what, ...asked }: Asked) {
      if (what === "attribute") return { value: undefined };
      done.push(`${what} ${asked.type === "AWS::Lambda::Version" ? "version" : (asked.id ?? asked.name)}`);
      if (asked.type !== "AWS::Lambda::Version" || what !== "create")
        return { known: true, ref: String(asked.name) };
      const before = published.length;
      publish(code);
      return published.length > before ? { known: true, ref: code } : { refused: "Version already exists" };
    },
    async call({ RequestType, ResourceProperties }) {
      done.push(`${RequestType.toLowerCase()} publication`);
      return { Version: publish(String(ResourceProperties.Content)) };
    },
  };
  /** What the function of a version is at the time. */
  let code = "";
  return { cloud, done, published, setCode: (now: string) => (code = now) };
}

const fn = (content: string): TemplateResource => ({
  Type: "AWS::Lambda::Function",
  Properties: { Content: content },
});
const failing = { Type: FAILURE, DependsOn: ["Alias"] };

/** The worker as it is published now: by a step. */
const published = (content: string): Template => ({
  Resources: {
    Alias: {
      Type: "AWS::Lambda::Alias",
      Properties: { Version: { "Fn::GetAtt": ["Publication", "Version"] } },
    },
    Publication: {
      Type: "AWS::CloudFormation::CustomResource",
      Properties: { Function: { Ref: "Worker" }, Content: content },
    },
    Worker: fn(content),
  },
});
/** As it was before: by a resource whose id is of its content. */
const versioned = (content: string): Template => ({
  Resources: {
    Worker: fn(content),
    [`Version${content}`]: {
      Type: "AWS::Lambda::Version",
      Properties: { Function: { Ref: "Worker" } },
      DeletionPolicy: "Retain",
    },
    Alias: { Type: "AWS::Lambda::Alias", Properties: { Version: { Ref: `Version${content}` } } },
  },
});
const withFailure = ({ Resources }: Template): Template => ({
  Resources: { ...Resources, Failure: failing },
});

describe("a rehearsed deployment", () => {
  test("makes a resource after those that it needs, and refuses a circle", () => {
    expect(inOrder(published("a"))).toEqual(["Worker", "Publication", "Alias"]);
    const circle = {
      A: { Type: "T", DependsOn: "B" },
      B: { Type: "T", Properties: { Of: { Ref: "A" } } },
    };
    expect(() => inOrder({ Resources: circle })).toThrow("A → B → A");
  });

  test("changes only what differs, and restores it when a resource fails", async () => {
    const { cloud, done } = cloudThatRemembers();
    const stack = newStack("agents");
    await deployStack(stack, published("a"), cloud);
    expect(done).toEqual(["create Worker", "create publication", "create Alias"]);
    await deployStack(stack, published("a"), cloud);
    expect(done).toHaveLength(3);
    await expect(deployStack(stack, withFailure(published("b")), cloud)).rejects.toThrow(
      "no service can make",
    );
    expect(done.slice(3)).toEqual([
      ...["update Worker", "update publication", "update Alias"],
      ...["update Worker", "update publication", "update Alias"],
    ]);
  });

  test("can be tried again after a rollback where the worker is published by a step", async () => {
    const { cloud, published: versions } = cloudThatRemembers();
    const stack = newStack("agents");
    await deployStack(stack, published("a"), cloud);
    await expect(deployStack(stack, withFailure(published("b")), cloud)).rejects.toThrow();
    await deployStack(stack, published("b"), cloud);
    expect(versions).toEqual(["a", "b", "a", "b"]);
    expect(stack.resources.get("Alias")?.properties.Version).toBe("4");
  });

  test("could not where its versions were resources: the rehearsal finds that", async () => {
    const { cloud, setCode } = cloudThatRemembers();
    const stack = newStack("agents");
    setCode("a");
    await deployStack(stack, versioned("a"), cloud);
    setCode("b");
    await expect(deployStack(stack, withFailure(versioned("b")), cloud)).rejects.toThrow(
      "no service can make",
    );
    await expect(deployStack(stack, versioned("b"), cloud)).rejects.toThrow("Version already exists");
  });

  test("is deleted in the opposite order, but for what is retained", async () => {
    const { cloud, done, setCode } = cloudThatRemembers();
    const stack = newStack("agents");
    setCode("a");
    await deployStack(stack, versioned("a"), cloud);
    done.length = 0;
    expect(await deleteStack(stack, cloud)).toEqual(["Versiona"]);
    expect(done).toEqual(["delete Alias", "delete Worker"]);
    expect([...stack.resources]).toEqual([]);
  });
});
