// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/config_tree.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace switchyard::actions {

namespace {

using Kind = ConfigNode::Kind;

constexpr std::size_t mostNodes = 100000; // aliases can multiply

Error mistake(const YAML::Mark &mark, const std::string &message)
{
    Error error{ErrorKind::BadInput};
    if (!mark.is_null())
        error.where = "line " + std::to_string(mark.line + 1) + ", column " + std::to_string(mark.column + 1);
    error.message = message;
    return error;
}

bool digitsOnly(std::string_view text, std::string_view digits)
{
    return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

constexpr std::string_view decimal = "0123456789";

std::string without(std::string text, char c)
{
    std::erase(text, c);
    return text;
}

// yaml/resolver.py (PyYAML): exactly these spellings.
std::optional<ConfigNode> word(const std::string &text)
{
    for (const char *yes : {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})
        if (text == yes)
            return configBoolean(true);
    for (const char *no : {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})
        if (text == no)
            return configBoolean(false);
    for (const char *null : {"", "~", "null", "Null", "NULL"})
        if (text == null)
            return ConfigNode{};
    return std::nullopt;
}

std::optional<ConfigNode> inBase(bool negative, const std::string &digits, int base)
{
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (problem != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return ConfigNode{Kind::Number, (negative && value ? "-" : "") + std::to_string(value)};
}

// 1:30 is 90, 1:30:00 is 5400
std::optional<ConfigNode> sexagesimal(bool negative, const std::string &text)
{
    std::uint64_t value = 0;
    std::size_t from = 0, parts = 0;
    while (from <= text.size()) {
        const std::size_t colon = std::min(text.find(':', from), text.size());
        const std::string part = text.substr(from, colon - from);
        if (!digitsOnly(part, decimal) || part.size() > (parts > 0 ? 2U : 9U) || (parts > 0 && std::stoul(part) > 59)
            || value > 100000000000)
            return std::nullopt;
        value = value * 60 + std::stoul(part);
        from = colon + 1;
        ++parts;
    }
    return parts > 1 ? std::optional(ConfigNode{Kind::Number, (negative ? "-" : "") + std::to_string(value)}) : std::nullopt;
}

enum class Form { None, Unusable, Number };
struct Numeric
{
    Form form = Form::None;
    ConfigNode node{};
};

Numeric found(const std::optional<ConfigNode> &node)
{
    return node ? Numeric{Form::Number, *node} : Numeric{Form::Unusable, {}};
}

Numeric integer(bool negative, const std::string &body)
{
    if (body.starts_with("0b") && digitsOnly(body.substr(2), "01_"))
        return found(inBase(negative, without(body.substr(2), '_'), 2));
    if (body.starts_with("0x") && digitsOnly(body.substr(2), "0123456789abcdefABCDEF_"))
        return found(inBase(negative, without(body.substr(2), '_'), 16));
    if (body.size() > 1 && body[0] == '0' && digitsOnly(body, "01234567_"))
        return found(inBase(negative, without(body, '_'), 8));
    if (body == "0" || (body[0] >= '1' && body[0] <= '9' && digitsOnly(body, "0123456789_"))) {
        const std::string digits = without(body, '_'); // of any length
        return {Form::Number, {Kind::Number, (negative && digits != "0" ? "-" : "") + digits}};
    }
    const bool timeLike = body[0] >= '1' && body[0] <= '9' && body.find(':') != std::string::npos && digitsOnly(body, "0123456789_:");
    const auto number = timeLike ? sexagesimal(negative, without(body, '_')) : std::nullopt;
    return number ? found(number) : Numeric{};
}

// A dot is needed, and the exponent needs its sign: 1e5 is text.
Numeric real(bool negative, const std::string &body)
{
    const std::size_t dot = body.find('.');
    if (dot == std::string::npos)
        return {};
    const std::string whole = body.substr(0, dot);
    std::string fraction = body.substr(dot + 1), exponent;
    if (const std::size_t e = fraction.find_first_of("eE"); e != std::string::npos) {
        exponent = fraction.substr(e);
        fraction.resize(e);
        if (exponent.size() < 3 || (exponent[1] != '+' && exponent[1] != '-') || !digitsOnly(exponent.substr(2), decimal))
            return {};
    }
    const bool digits = whole.empty() ? !fraction.empty() && fraction[0] != '_' : whole[0] != '_' && digitsOnly(whole, "0123456789_");
    if (!digits || (!fraction.empty() && !digitsOnly(fraction, "0123456789_")))
        return {};
    std::string before = without(whole, '_'), after = without(fraction, '_');
    before.erase(0, std::min(before.find_first_not_of('0'), before.size()));
    return {Form::Number,
            {Kind::Number,
             std::string(negative ? "-" : "") + (before.empty() ? "0" : before) + '.' + (after.empty() ? "0" : after) + exponent}};
}

bool looksLikeDate(const std::string &text)
{
    const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    if (!digit(0) || !digit(1) || !digit(2) || !digit(3) || text.size() < 8 || text[4] != '-')
        return false;
    return digitsOnly(text.substr(0, 10), "0123456789-Tt ") && (text.size() == 10 || text.find(':') != std::string::npos);
}

// 1:30.5
bool sexagesimalFraction(const std::string &body)
{
    const std::size_t colon = body.rfind(':'), dot = body.find('.');
    return colon != std::string::npos && dot != std::string::npos && dot > colon && body[0] >= '0' && body[0] <= '9'
        && digitsOnly(body, "0123456789_:.");
}

// What JSON has no word for, or PyYAML no constructor.
bool unusable(const std::string &text)
{
    std::string body = text;
    if (!body.empty() && (body[0] == '-' || body[0] == '+'))
        body.erase(0, 1);
    static constexpr std::array words{".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"};
    return text == "=" || looksLikeDate(text) || (!body.empty() && sexagesimalFraction(body))
        || std::find(words.begin(), words.end(), body) != words.end();
}

bool jsonNumber(const std::string &text)
{
    const auto node = readJson(text);
    return node && node->kind == Kind::Number && (node->text == text || text == "-0");
}

class Reader
{
public:
    std::optional<Error> problem;

    ConfigNode read(const YAML::Node &node, int depth)
    {
        if (depth > deepestConfig || ++m_count > mostNodes)
            return fail(node, "nested too deeply, or too large");
        switch (node.Type()) {
        case YAML::NodeType::Map: return map(node, depth);
        case YAML::NodeType::Sequence: return list(node, depth);
        case YAML::NodeType::Scalar: return scalar(node);
        case YAML::NodeType::Null:
        case YAML::NodeType::Undefined: break;
        }
        return {};
    }

private:
    ConfigNode fail(const YAML::Node &node, const std::string &message)
    {
        if (!problem)
            problem = mistake(node.Mark(), message);
        return {};
    }

    ConfigNode scalar(const YAML::Node &node)
    {
        const std::string &tag = node.Tag(), &text = node.Scalar();
        if (tag == "!" || tag == "tag:yaml.org,2002:str") // quoted
            return configString(text);
        const auto value = plainScalar(text);
        if (!value)
            return fail(node, "'" + text + "' is a date or a number that JSON does not have: put it in quotes");
        const bool asTagged = tag == "?" || tag.empty() || (tag == "tag:yaml.org,2002:int" && value->kind == Kind::Number)
            || (tag == "tag:yaml.org,2002:float" && value->kind == Kind::Number)
            || (tag == "tag:yaml.org,2002:bool" && value->kind == Kind::Boolean)
            || (tag == "tag:yaml.org,2002:null" && value->kind == Kind::Null);
        if (tag == "tag:yaml.org,2002:float" && jsonNumber(text))
            return {Kind::Number, text};
        return asTagged ? *value : fail(node, "the tag " + tag + " is not understood");
    }

    ConfigNode list(const YAML::Node &node, int depth)
    {
        ConfigNode result{Kind::List};
        for (const YAML::Node &item : node) {
            result.items.push_back(read(item, depth + 1));
            if (problem)
                break;
        }
        return result;
    }

    ConfigNode map(const YAML::Node &node, int depth)
    {
        ConfigNode result{Kind::Map};
        for (const auto &pair : node) {
            const std::string key = keyOf(pair.first);
            if (problem)
                break;
            if (result.find(key))
                return fail(pair.first, "'" + key + "' is there twice");
            ConfigNode value = read(pair.second, depth + 1);
            if (problem)
                break;
            result.set(key, std::move(value));
        }
        return result;
    }

    std::string keyOf(const YAML::Node &node)
    {
        if (!node.IsScalar()) {
            fail(node, "a key must be text");
            return {};
        }
        if (node.Tag() == "?" && node.Scalar() == "<<") {
            fail(node, "merge keys (<<) are not understood: write the settings out");
            return {};
        }
        const ConfigNode key = scalar(node);
        if (!problem && key.kind != Kind::String && (key.kind != Kind::Number || key.text != node.Scalar()))
            fail(node, "'" + node.Scalar() + "' as a key is read as something else: put it in quotes");
        return node.Scalar();
    }

    std::size_t m_count = 0;
};

} // namespace

std::optional<ConfigNode> plainScalar(const std::string &text)
{
    if (auto known = word(text))
        return known;
    if (unusable(text))
        return std::nullopt;
    const bool sign = text[0] == '-' || text[0] == '+';
    const std::string body = text.substr(sign ? 1 : 0);
    if (body.empty())
        return configString(text);
    for (const Numeric &number : {integer(text[0] == '-', body), real(text[0] == '-', body)}) {
        if (number.form == Form::Unusable)
            return std::nullopt;
        if (number.form == Form::Number)
            return number.node;
    }
    return configString(text);
}

Result<ConfigNode> readYaml(std::string_view text)
{
    try {
        const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
        if (documents.empty())
            return ConfigNode{};
        if (documents.size() > 1)
            return tl::unexpected(mistake(documents[1].Mark(), "more than one document"));
        Reader reader;
        ConfigNode root = reader.read(documents[0], 0);
        if (reader.problem)
            return tl::unexpected(*reader.problem);
        return root;
    } catch (const YAML::Exception &error) {
        return tl::unexpected(mistake(error.mark, error.msg));
    } catch (const std::exception &error) {
        return tl::unexpected(mistake(YAML::Mark::null_mark(), error.what()));
    }
}

namespace {

bool plainCharacters(const std::string &text)
{
    constexpr std::string_view first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_/0123456789.";
    constexpr std::string_view more = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_/0123456789.-+%@=$()";
    if (text.empty() || first.find(text[0]) == std::string_view::npos || text.back() == ' ')
        return false;
    for (std::size_t i = 1; i < text.size(); ++i) {
        const bool inner = text[i] == ' ' || (text[i] == ':' && i + 1 < text.size() && text[i + 1] != ' ');
        if (!inner && more.find(text[i]) == std::string_view::npos)
            return false;
    }
    return true;
}

// Also what a reader of YAML 1.2 would take for a number: 1e5, 0o10.
bool numberLike(const std::string &text)
{
    return (text[0] >= '0' && text[0] <= '9') || text[0] == '.' ? digitsOnly(text, "0123456789abcdefABCDEFoxX_.:+-") : false;
}

std::string hexEscape(unsigned char c)
{
    constexpr std::string_view digits = "0123456789abcdef";
    return {'\\', 'x', digits[c >> 4U], digits[c & 15U]};
}

// PyYAML takes no C1 controls, no byte order mark and no line separators as they are.
void escapeUnprintable(std::string &text)
{
    const auto replace = [&text](const std::string &bytes, const std::string &escape) {
        for (std::size_t at = text.find(bytes); at != std::string::npos; at = text.find(bytes, at + escape.size()))
            text.replace(at, bytes.size(), escape);
    };
    for (unsigned char c = 0x80; c < 0xa0; ++c)
        replace({'\xc2', static_cast<char>(c)}, hexEscape(c));
    replace("\xe2\x80\xa8", "\\u2028");
    replace("\xe2\x80\xa9", "\\u2029");
    replace("\xef\xbb\xbf", "\\ufeff");
}

std::string inQuotes(const std::string &text)
{
    const bool printable = std::none_of(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f; });
    std::string out(1, printable ? '\'' : '"');
    for (const char c : text) {
        if (printable)
            out.append(c == '\'' ? 2 : 1, c);
        else if (c == '"' || c == '\\')
            out.append({'\\', c});
        else if (c == '\n')
            out += "\\n";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += hexEscape(static_cast<unsigned char>(c));
        else
            out += c;
    }
    if (!printable)
        escapeUnprintable(out);
    return out + (printable ? '\'' : '"');
}

std::string stringScalar(const std::string &text)
{
    const auto plain = plainCharacters(text) && !numberLike(text) ? plainScalar(text) : std::nullopt;
    return plain && plain->kind == Kind::String ? text : inQuotes(text);
}

std::string inlineText(const ConfigNode &node)
{
    switch (node.kind) {
    case Kind::Null: return "null";
    case Kind::String: return stringScalar(node.text);
    case Kind::List: return "[]";
    case Kind::Map: return "{}";
    case Kind::Boolean:
    case Kind::Number: break;
    }
    // 1e5 is a number in JSON and text in YAML 1.1
    const auto plain = plainScalar(node.text);
    return node.kind == Kind::Number && (!plain || plain->kind != Kind::Number || plain->text != node.text) ? "!!float '" + node.text + '\''
                                                                                                            : node.text;
}

void writeBlock(const ConfigNode &node, int depth, bool firstInline, std::string &out)
{
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (i > 0 || !firstInline)
            out.append(static_cast<std::size_t>(depth) * 2, ' ');
        const ConfigNode &item = node.items[i];
        const bool nested = !item.isScalar() && !item.items.empty();
        out += node.isMap() ? stringScalar(node.keys[i]) + ':' : "-";
        if (!nested) {
            out.append(" ").append(inlineText(item)).append("\n");
        } else if (node.isList()) {
            out += ' ';
            writeBlock(item, depth + 1, true, out);
        } else {
            out += '\n';
            writeBlock(item, item.isMap() ? depth + 1 : depth, false, out); // lists stand below their key, as PyYAML puts them
        }
    }
}

} // namespace

std::string writeYaml(const ConfigNode &node)
{
    if (node.isScalar() || node.items.empty())
        return inlineText(node) + '\n';
    std::string out;
    writeBlock(node, 0, false, out);
    return out;
}

} // namespace switchyard::actions
