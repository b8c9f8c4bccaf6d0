/** A rule that a refusal or a finding is known by, and why no schema says it. */
type Rule = readonly [known: RegExp, reason: string];

const ofWhatIsStored = "depends on what is stored";
const ofState = "depends on the state of the run or the component";
const ofInstance = "depends on what the instance registers";
const together = "members that need or exclude each other";

/** Refusals of what a schema allows, by their texts. */
export const unsaidRefusals: readonly Rule[] = [
  [
    /model \S.* is not registered; GET \/registry|base has no reader of its own named|no embedder is configured|source is read below \S+ the path must begin|takes no source_params/,
    ofInstance,
  ],
  [
    /"code":"unsupported_parameter"/,
    "members of OpenAI's requests that are not served are read to be named; their descriptions say what is",
  ],
  [
    /This app is not known here|at an address that is not its own|"error":"(unsupported_grant_type|invalid_(grant|request|target|scope|redirect_uri|client_metadata))"/,
    "what a client of sign-in must name, and prove, follows from what was asked before",
  ],
  [/A path must not have parts that are \. or \.\./, "no pattern says it of every encoding"],
  [/Unsupported protocol version/, "headers are filled with any text here, whatever their schema says"],
  [/is no provider of models here/, "one of the two members that name a model is read with the other only"],
  [/a component stays what it is: (agent|team|workflow)"/, ofState],
  [
    / does not exist|no item has the id|the vector database of this base|this base has no source|there is no session|has no version | is taken/,
    ofWhatIsStored,
  ],
  [/is a draft; publish it|only failed or cancelled jobs|was sent, so there is no address/, ofState],
  [
    /task \S+ has ended|is not paused|waits for answers|is published and cannot|is the current version/,
    ofState,
  ],
  [/table needs db_id|mean the same; give one|leave fork out|says something of regenerate=true/, together],
  [
    /give either|guard.current_version differ|must be of the same length|is not checked here|only one of|one of file, text_content, url and upload_id|name the target as params/,
    together,
  ],
  [/"loc":\["body","(session_name|input)"\],"msg":"Field required"/, together],
  [/session_id is required: name|user_id is missing: say|needs an? \w+_id/, "required of some callers only"],
  [
    /numbers must lie between|may hold at most \d+ bytes|must be shorter|must be text/,
    "bounds of what can be stored",
  ],
  [
    /is not valid JSON|"body","(images|audio|videos|input_files|file)"/,
    "few validators look into text that holds JSON, as a file of a urlencoded form would",
  ],
  [
    /"body","endpoint"|is no route|there is no [A-Z]+ \S+ in this service/,
    "a schedule calls a route of this service",
  ],
  [/"body","cron_expr"|"body","timezone"/, "a cron expression, a name of the time zone database"],
  [/traces have no field|is no filter|no operator/, "a filter is checked by the fields of what it filters"],
  [/named like an object's prototype/, "names that JavaScript takes for its own"],
  [/push notifications are not supported/, "routes that refuse everybody, as their summary says"],
  [/The file cannot be used\.|file is required, once/, "few validators look into files"],
  [/is declared in code, and has no versions|only evaluations of one type can be compared/, ofWhatIsStored],
  [/records are kept that long/, "the days of the audit depend on today and on a setting"],
  [
    /takes (the score 0 or 1|a score|a value or a comment|one of these values)|correction is required|give a score, a value|this instance's/,
    "which keys of feedback there are, and what they take, is a setting of the instance",
  ],
  [/a breakdown is of \d+ days at most/, together],
  [/needs redact: say|are more than one answer has|give set or remove|a new case needs an input/, together],
  [
    /"detail":"(messages|messageId|trigger): |there is no case |and can only be removed|has no cases|has erased cases alone/,
    ofWhatIsStored,
  ],
  [/it cannot run: /, "a draft may be incomplete; what is published must run with what is stored then"],
  [/cursor is not one of this list/, "a cursor comes from an answer of the list"],
  [/is not supported; 1\.0 and 0\.3 are/, "the header stands before the query"],
  [
    /INVALID_ARGUMENT|-32602|"params\.|"method must be/,
    "the agent-to-agent protocol's own rules, by its version",
  ],
];

/** What no schema allows and is accepted. */
export const unsaidAcceptances: readonly Rule[] = [
  [/is given several times/, "one of them counts; an array is what takes several"],
  [/must match format "date-time"/, "other notations of a time are read too"],
  [/^\/model must match pattern/, "the provider's name is read in any case"],
  [
    /^path \S+ cannot be decoded/,
    "what the gateway makes of it is an id that nothing has; deleting that is no fault",
  ],
  [/^query A2A-Version/, "the header stands before the query"],
  [/^form files_metadata/, "what is no object says nothing of a file, which is taken without it"],
  [
    /^\/configuration\/acceptedOutputModes must be array/,
    "the package of A2A reads what is no list as an empty one",
  ],
];
