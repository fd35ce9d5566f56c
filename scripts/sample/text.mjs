const firstParts = [
  'Aurora',
  'Baltic',
  'Beacon',
  'Birchwood',
  'Bluewater',
  'Brightside',
  'Calder',
  'Camellia',
  'Cardinal',
  'Castellan',
  'Cedarline',
  'Clearbrook',
  'Copperfield',
  'Corvid',
  'Crestview',
  'Dalton',
  'Delmar',
  'Drake',
  'Eastgate',
  'Ebony',
  'Elmfield',
  'Evergreen',
  'Fairhaven',
  'Falcon',
  'Fernhill',
  'Foxglove',
  'Galaxy',
  'Garnet',
  'Glenmoor',
  'Granite',
  'Greystone',
  'Halcyon',
  'Hartwell',
  'Hawthorn',
  'Hazelwood',
  'Heron',
  'Highland',
  'Indigo',
  'Ironbridge',
  'Ivory',
  'Jasmine',
  'Juniper',
  'Kestrel',
  'Kingfisher',
  'Lakeside',
  'Lantern',
  'Larkspur',
  'Linden',
  'Lockhart',
  'Magnolia',
  'Maple',
  'Marlow',
  'Meridian',
  'Millbrook',
  'Monarch',
  'Nightingale',
  'Norfolk',
  'Northwind',
  'Oakridge',
  'Obsidian',
  'Orchard',
  'Osprey',
  'Pembroke',
  'Peregrine',
  'Pinecrest',
  'Quarry',
  'Quayside',
  'Redwood',
  'Ridgeway',
  'Rosemary',
  'Rowan',
  'Saffron',
  'Sandpiper',
  'Sapphire',
  'Silverdale',
  'Skylark',
  'Solstice',
  'Southport',
  'Stirling',
  'Sunflower',
  'Swift',
  'Sycamore',
  'Tamarind',
  'Thistle',
  'Thornbury',
  'Tidewater',
  'Topaz',
  'Trinity',
  'Umber',
  'Valemont',
  'Verdant',
  'Vintage',
  'Walnut',
  'Waverley',
  'Westbrook',
  'Whitmore',
  'Willow',
  'Windermere',
  'Yarrow',
  'Zephyr',
];
const secondParts = [
  'Bakery',
  'Books',
  'Builders',
  'Catering',
  'Ceramics',
  'Clinic',
  'Dental',
  'Electrical',
  'Events',
  'Farms',
  'Florists',
  'Foods',
  'Furniture',
  'Garage',
  'Gardens',
  'Glazing',
  'Hotel',
  'Interiors',
  'Joinery',
  'Kitchens',
  'Laundry',
  'Lighting',
  'Logistics',
  'Marine',
  'Motors',
  'Optics',
  'Outdoor',
  'Packaging',
  'Pharmacy',
  'Plumbing',
  'Printing',
  'Roofing',
  'Schools',
  'Stationery',
  'Studios',
  'Tailors',
  'Textiles',
  'Timber',
  'Travel',
  'Vineyards',
];
const forms = ['Ltd', 'Ltd', 'LLP', 'Group', '& Sons', 'GmbH', 'S.A.', 'Co'];

/** Distinct customer names. */
export function customerNames(random, count) {
  const all = firstParts.flatMap((first) => secondParts.map((second) => `${first} ${second}`));
  return random
    .shuffle(all)
    .slice(0, count)
    .map((name) => `${name} ${random.pick(forms)}`);
}

function misspell(random, text) {
  const at = random.between(1, text.length - 3);
  switch (random.between(0, 2)) {
    case 0:
      return text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
    case 1:
      return text.slice(0, at) + text.slice(at + 1);
    default:
      return text.slice(0, at) + text[at] + text.slice(at);
  }
}

/** A customer's name as a bank prints it: capitals, without the legal form, sometimes misspelt or cut off. */
export function printedName(random, customer, typoPercent) {
  const [first, second] = customer.split(' ');
  let name = `${first} ${second}`;
  if (random.chance(typoPercent)) name = misspell(random, name);
  if (random.chance(8)) name = name.slice(0, Math.max(9, name.length - random.between(2, 5)));
  if (random.chance(6)) name = `${first[0]}. ${second}`;
  return name.toUpperCase();
}

/**
 * An invoice number as customers type it: `INV-2025-00417` becomes `inv 00417`, `2025/00417`, …; now and then mistyped.
 */
export function printedReference(random, invoice, typoPercent) {
  let digits = invoice.slice(-5);
  if (random.chance(typoPercent)) digits = digits.slice(0, 3) + digits[4] + digits[3];
  return random.pick([
    `INV-2025-${digits}`,
    `INV 2025/${digits}`,
    `inv ${digits}`,
    `RE: ${digits}`,
    `Invoice ${digits}`,
    `INV2025-${digits}`,
    `no.${digits}`,
  ]);
}
