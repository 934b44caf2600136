// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/actions/config_cases.h"

namespace switchyard::actions {

std::vector<ConfigCase> keepsWhatItDoesNotUnderstandCases()
{
    return {
        {"order of keys", R"({"ttl":30,"a":1,"loop_wait":10,"Z":{"y":1,"x":2}})"},
        {"numbers above 2^53", R"({"id":7301234567890123456,"more":9007199254740993})"},
        {"numbers above 2^64", R"({"id":123456789012345678901234567890})"},
        {"fractions as written", R"({"a":0.10,"b":1.0,"c":1e5,"d":-2.50E-3})"},
        {"text that looks otherwise", R"({"a":"on","b":"30","c":"null","d":"1e5","e":"0x10","f":"2031-02-03","g":"","h":"~","i":"1_000"})"},
        {"null, booleans, empty", R"({"a":null,"b":true,"c":false,"d":{},"e":[]})"},
        {"lists of maps and lists", R"({"a":[{"x":1,"y":[1,2]},[3,[4]],"z"],"b":[[],{}]})"},
        {"commands", R"({"c":"cp /wal/%f \"%p\" && echo 'x: y' # z","d":"- x","e":"a: b","f":"a:b","g":"@x","h":"*","i":"!x","j":"%f"})"},
        {"white space", R"({"a":" x","b":"x ","c":"a\nb\n","d":"\t","e":"a  b"})"},
        {"control characters", "{\"a\":\"\\u0001\x7f\"}"},
        {"foreign characters", R"({"b":"zürich 東京 🐘","c":"back\\slash \"quoted\" 'single'"})"},
        {"what YAML breaks lines at", "{\"a\":\"x\xe2\x80\xa8y\",\"b\":\"x\xc2\x85y\",\"c\":\"\xef\xbb\xbfz\"}"},
        {"keys", R"({"a b":1,"true":2,"1":3,"":4,"pg_stat_statements.max":5,"x: y":6,"<<":7,"-":8,"null":9})"},
        {"addresses", R"({"a":"10.0.0.1","b":"10.0.0.1:5432","c":"::1","d":"host all all 0.0.0.0/0 md5","e":"1:30"})"},
    };
}

// yaml/resolver.py and constructor.py of PyYAML 6.0: what json.dumps(yaml.safe_load(text)) makes of it
std::vector<ConfigCase> yamlTypesCases()
{
    return {
        {"yes", "yes", "true"},
        {"Off", "Off", "false"},
        {"ON", "ON", "true"},
        {"y", "y", "\"y\""},
        {"oN", "oN", "\"oN\""},
        {"'on'", "'on'", "\"on\""},
        {"\"yes\"", "\"yes\"", "\"yes\""},
        {"~", "~", "null"},
        {"NULL", "NULL", "null"},
        {"nUll", "nUll", "\"nUll\""},
        {"30", "30", "30"},
        {"+30", "+30", "30"},
        {"-0", "-0", "0"},
        {"1_000", "1_000", "1000"},
        {"010", "010", "8"},
        {"08", "08", "\"08\""},
        {"0o10", "0o10", "\"0o10\""},
        {"0x1F", "0x1F", "31"},
        {"0b101", "0b101", "5"},
        {"1:30", "1:30", "90"},
        {"1:30:00", "1:30:00", "5400"},
        {"1:60", "1:60", "\"1:60\""},
        {"10:5432", "10:5432", "\"10:5432\""},
        {"1.5", "1.5", "1.5"},
        {"1.", "1.", "1.0"},
        {".5", ".5", "0.5"},
        {"-01.50", "-01.50", "-1.50"},
        {"1e5", "1e5", "\"1e5\""},
        {"1.5e5", "1.5e5", "\"1.5e5\""},
        {"1.5e+5", "1.5e+5", "1.5e+5"},
        {"123456789012345678901234567890", "123456789012345678901234567890", "123456789012345678901234567890"},
        {"1.2.3", "1.2.3", "\"1.2.3\""},
        {"16MB", "16MB", "\"16MB\""},
        {"!!str 30", "!!str 30", "\"30\""},
        {"!!int 30", "!!int 30", "30"},
        {"{a: 1, b: [x, 'y']}", "{a: 1, b: [x, 'y']}", R"({"a":1,"b":["x","y"]})"},
        {"a: &x {b: 1}\nc: *x", "a: &x {b: 1}\nc: *x", R"({"a":{"b":1},"c":{"b":1}})"},
        {"a: |\n  x\n  y", "a: |\n  x\n  y", R"({"a":"x\ny"})"},
        {"1: x", "1: x", R"({"1":"x"})"},
        {"# nothing", "# nothing", "null"},
        {"a:\nb: 1", "a:\nb: 1", R"({"a":null,"b":1})"},
    };
}

std::vector<ConfigCase> yamlMistakesCases()
{
    return {
        {"date", "ttl: 30\nwhen: 2031-02-03", "line 2, column 7"},
        {"time", "when: 2031-02-03T01:30:00+00:00", "line 1, column 7"},
        {"infinity", "a: .inf", "line 1, column 4"},
        {"twice", "ttl: 30\nloop_wait: 10\nttl: 40", "line 3, column 1"},
        {"merge key", "a: &x {b: 1}\nc:\n  <<: *x", "line 3, column 3"},
        {"boolean key", "on: 1", "line 1, column 1"},
        {"octal key", "010: 1", "line 1, column 1"},
        {"unclosed", "a: [1, 2", "line 1, column 1"},
        {"tab", "a:\n\tb: 1", "line 2, column 3"},
        {"unknown tag", "a: !!binary aGk=", "line 1, column 4"},
        {"two documents", "a: 1\n---\nb: 2", "line 3, column 1"},
        {"unknown alias", "a: *x", "line 1, column 4"},
    };
}

// patroni/utils.py patch_config
std::vector<ConfigCase> patchCases()
{
    return {
        {"sets", R"({"ttl":30})", R"({"ttl":40,"x":1})", R"({"ttl":40,"x":1})"},
        {"null removes", R"({"ttl":30,"pause":true})", R"({"pause":null,"y":null})", R"({"ttl":30})"},
        {"maps are merged", R"({"p":{"a":1,"b":2}})", R"({"p":{"b":3,"c":{"d":4}}})", R"({"p":{"a":1,"b":3,"c":{"d":4}}})"},
        {"a map replaces a scalar", R"({"p":1})", R"({"p":{"b":3}})", R"({"p":{"b":3}})"},
        {"lists are replaced", R"({"p":[1,2]})", R"({"p":[3]})", R"({"p":[3]})"},
    };
}

std::vector<ConfigCase> mergeCases()
{
    return {
        {"nobody else", R"({"a":1,"b":2})", R"({"b":2,"a":3})", R"({"a":1,"b":2})", R"({"b":2,"a":3})"},
        {"elsewhere", R"({"a":1,"b":2})", R"({"a":3,"b":2})", R"({"a":1,"b":9})", R"({"a":3,"b":9})"},
        {"both the same", R"({"a":1})", R"({"a":2})", R"({"a":2})", R"({"a":2})"},
        {"both, different", R"({"a":1})", R"({"a":2})", R"({"a":3})", R"({"a":3})", "a"},
        {"I remove, they change", R"({"a":1,"b":1})", R"({"b":1})", R"({"a":2,"b":1})", R"({"a":2,"b":1})", "a"},
        {"I change, they remove", R"({"a":1,"b":1})", R"({"a":2,"b":1})", R"({"b":1})", R"({"b":1})", "a"},
        {"both remove", R"({"a":1,"b":1})", R"({"b":1})", R"({"b":1})", R"({"b":1})"},
        {"both add the same", R"({"a":1})", R"({"a":1,"c":{"x":1}})", R"({"a":1,"c":{"x":1}})", R"({"a":1,"c":{"x":1}})"},
        {"both add into a new map", R"({"a":1})", R"({"a":1,"c":{"x":1}})", R"({"a":1,"c":{"y":2}})", R"({"a":1,"c":{"y":2,"x":1}})"},
        {"nested", R"({"p":{"q":{"x":1,"y":1}}})", R"({"p":{"q":{"x":2,"y":1}}})", R"({"p":{"q":{"x":1,"y":5},"r":1}})",
         R"({"p":{"q":{"x":2,"y":5},"r":1}})"},
        {"nested conflict", R"({"p":{"q":{"x":1}}})", R"({"p":{"q":{"x":2}}})", R"({"p":{"q":{"x":3}}})", R"({"p":{"q":{"x":3}}})",
         "p.q.x"},
        {"lists are one value", R"({"l":[1,2]})", R"({"l":[1,2,3]})", R"({"l":[0,1,2]})", R"({"l":[0,1,2]})", "l"},
        {"a pause of another one stays", R"({"a":1})", R"({"a":2})", R"({"a":1,"pause":true})", R"({"a":2,"pause":true})"},
        {"large numbers are told apart", R"({"a":9007199254740992})", R"({"a":9007199254740993})", R"({"a":9007199254740992,"b":1})",
         R"({"a":9007199254740993,"b":1})"},
    };
}

} // namespace switchyard::actions
