#!/usr/bin/env python3
"""The lists of fields: the schema accepts every shipped model and refuses misspelt ones, the reference page is the program's own, explain knows all."""
import json
import tomllib
import unittest

from _helpers import SOURCE, carom

try:
    import jsonschema
except ImportError:
    jsonschema = None


class Schema(unittest.TestCase):
    def test_the_reference_page_is_the_programs_own(self):
        page = (SOURCE / "docs" / "model_file_reference.md").read_text()
        self.assertEqual(carom("schema", "--reference").stdout, page, "carom schema --reference > docs/model_file_reference.md")

    @unittest.skipUnless(jsonschema, "python3-jsonschema is not there")
    def test_shipped_models_follow_the_schema(self):
        schema = json.loads(carom("schema").stdout)
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        for file in sorted((SOURCE / "scenarios").glob("*.toml")):
            with self.subTest(file.name):
                self.assertEqual([error.message for error in validator.iter_errors(tomllib.loads(file.read_text()))], [])
        crank = tomllib.loads((SOURCE / "scenarios" / "slider_crank_bodies.toml").read_text())
        crank["body"]["crank"]["mas"] = crank["body"]["crank"].pop("mass")
        self.assertTrue(list(validator.iter_errors(crank)))

    def test_every_table_and_field_is_explained(self):
        for line in carom("list", "tables", "--json").stdout.splitlines():
            table = json.loads(line)
            text = carom("explain", table["name"]).stdout
            for field in table["fields"]:
                self.assertIn(field, text, table["name"])
        self.assertIn("s", carom("explain", "simulation.step").stdout)


if __name__ == "__main__":
    unittest.main()
