/** A small set of passages with questions, each of which one passage answers: for the quality of searches. */
export const passages: Readonly<Record<string, string>> = {
  priming:
    "Close valve B before priming the pump. Open it again once water leaves the outlet without bubbles.",
  seals:
    "Shaft seals wear out after about 4,000 hours of operation. Replace both seals at the same time and grease them.",
  noise:
    "A rattling noise at low speed usually means that the impeller touches the housing. Switch off and check the bearing.",
  filter: "Rinse the inlet filter every week. A clogged filter lowers the flow and makes the motor run hot.",
  voltage: "The controller takes 24 volts of direct current. Higher voltage destroys the display at once.",
  warranty:
    "The warranty covers two years from delivery. It ends when the housing is opened by anybody but a service partner.",
  returns:
    "Returned goods need a return number. Ask for it by mail before you ship the parcel; parcels without one are refused.",
  invoice: "Invoices are due within thirty days. After that a reminder is sent, with a fee of five euros.",
  vacation:
    "Employees have twenty-eight days of vacation a year. Unused days may be taken until the end of March.",
  sick: "Call your team lead before nine in the morning when you are sick. A doctor's note is needed from the third day.",
  travel:
    "Trains are booked in second class. Flights inside the country are not paid for unless the train takes more than six hours.",
  expenses:
    "Hand in receipts by the fifth of the month. Meals are paid up to thirty euros a day without a receipt.",
  password:
    "Passwords have at least fourteen characters and are never shared. Use the password manager that comes with your laptop.",
  vpn: "The VPN is needed for the build server and the wiki. Sign in with your badge number and the code from the app.",
  backup:
    "Backups run every night at two and are kept for ninety days. Ask the help desk to restore a single file.",
  fire: "When the fire alarm sounds leave by the nearest stairs and meet at the car park. Lifts must not be used.",
  coffee: "The coffee machine is descaled on Fridays. Whoever finds the tank empty fills it up.",
  parking:
    "Parking spaces with a blue mark are for visitors. Staff park behind the hall, on level two or three.",
  onboarding:
    "New colleagues get a laptop, a badge and a mentor on their first day. The mentor shows the building and the tools.",
  review:
    "Code is merged after one review. Changes of the database need a second reviewer from the platform team.",
};

export const questions: readonly (readonly [question: string, passage: string])[] = [
  ["Which valve do I close before I prime the pump?", "priming"],
  ["When must the shaft seals be replaced?", "seals"],
  ["What does a rattling noise mean?", "noise"],
  ["How often do I rinse the filter?", "filter"],
  ["How many volts does the controller take?", "voltage"],
  ["How long is the warranty?", "warranty"],
  ["Do I need a number to return goods?", "returns"],
  ["When is an invoice due?", "invoice"],
  ["How many vacation days do employees have?", "vacation"],
  ["Whom do I call when I am sick?", "sick"],
  ["Are flights paid for?", "travel"],
  ["Until when do I hand in receipts?", "expenses"],
  ["How long must a password be?", "password"],
  ["How do I sign in to the VPN?", "vpn"],
  ["For how long are backups kept?", "backup"],
  ["Where do we meet when the fire alarm sounds?", "fire"],
  ["Who fills the tank of the coffee machine?", "coffee"],
  ["Where may visitors park?", "parking"],
  ["What does a new colleague get on the first day?", "onboarding"],
  ["How many reviews does a database change need?", "review"],
];
