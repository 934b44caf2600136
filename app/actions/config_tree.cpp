// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/config_tree.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace switchyard::actions {

namespace {

using nlohmann::json;
using Kind = ConfigNode::Kind;

// Builds the tree from what the parser meets; it keeps the text of numbers that fit into no integer.
class Builder : public nlohmann::json_sax<json>
{
public:
    ConfigNode root;
    std::string problem;

    bool null() override { return put({}); }
    bool boolean(bool value) override { return put(configBoolean(value)); }
    bool number_integer(number_integer_t value) override { return put({Kind::Number, std::to_string(value)}); }
    bool number_unsigned(number_unsigned_t value) override { return put({Kind::Number, std::to_string(value)}); }
    bool number_float(number_float_t, const string_t &text) override { return put({Kind::Number, text}); }
    bool string(string_t &text) override { return put(configString(text)); }
    bool binary(binary_t &) override { return false; }
    bool start_object(std::size_t) override { return open(Kind::Map); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(Kind::List); }
    bool end_array() override { return close(); }
    bool key(string_t &text) override
    {
        m_keys.back() = text;
        return true;
    }
    bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &error) override
    {
        const std::string words = error.what();
        problem = "not JSON at byte " + std::to_string(position) + words.substr(std::min(words.find("] ") + 1, words.size()));
        return false;
    }

private:
    bool put(ConfigNode node)
    {
        if (m_open.empty()) {
            root = std::move(node);
        } else if (m_open.back().isMap()) {
            m_open.back().set(m_keys.back(), std::move(node));
        } else {
            m_open.back().items.push_back(std::move(node));
        }
        return true;
    }
    bool open(Kind kind)
    {
        if (m_open.size() >= deepestConfig) {
            problem = "nested too deeply";
            return false;
        }
        m_open.push_back({kind});
        m_keys.emplace_back();
        return true;
    }
    bool close()
    {
        ConfigNode node = std::move(m_open.back());
        m_open.pop_back();
        m_keys.pop_back();
        return put(std::move(node));
    }

    std::vector<ConfigNode> m_open;
    std::vector<std::string> m_keys;
};

std::string quoted(const std::string &text)
{
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

void write(const ConfigNode &node, int indent, std::string &out)
{
    const auto newLine = [&](int depth) {
        if (indent >= 0)
            out.append("\n").append(static_cast<std::size_t>(depth) * 2, ' ');
    };
    if (node.isScalar()) {
        out += node.kind == Kind::Null ? "null" : node.kind == Kind::String ? quoted(node.text) : node.text;
        return;
    }
    out += node.isMap() ? '{' : '[';
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (i > 0)
            out += ',';
        newLine(indent + 1);
        if (node.isMap())
            out.append(quoted(node.keys[i])).append(indent >= 0 ? ": " : ":");
        write(node.items[i], indent >= 0 ? indent + 1 : indent, out);
    }
    if (!node.items.empty())
        newLine(indent);
    out += node.isMap() ? '}' : ']';
}

bool parse(std::string_view text, Builder &builder)
{
    try {
        return json::sax_parse(text.begin(), text.end(), &builder);
    } catch (const std::exception &error) {
        builder.problem = error.what();
        return false;
    }
}

} // namespace

const ConfigNode *ConfigNode::find(std::string_view key) const
{
    const auto found = std::find(keys.begin(), keys.end(), key);
    return isMap() && found != keys.end() ? &items[static_cast<std::size_t>(found - keys.begin())] : nullptr;
}

ConfigNode *ConfigNode::find(std::string_view key)
{
    const auto found = std::find(keys.begin(), keys.end(), key);
    return isMap() && found != keys.end() ? &items[static_cast<std::size_t>(found - keys.begin())] : nullptr;
}

void ConfigNode::set(std::string key, ConfigNode value)
{
    if (ConfigNode *present = find(key)) {
        *present = std::move(value);
        return;
    }
    keys.push_back(std::move(key));
    items.push_back(std::move(value));
}

void ConfigNode::erase(std::string_view key)
{
    const auto found = std::find(keys.begin(), keys.end(), key);
    if (found == keys.end())
        return;
    items.erase(items.begin() + (found - keys.begin()));
    keys.erase(found);
}

ConfigNode configString(std::string text)
{
    return {Kind::String, std::move(text)};
}

ConfigNode configBoolean(bool value)
{
    return {Kind::Boolean, value ? "true" : "false"};
}

bool sameConfig(const ConfigNode &a, const ConfigNode &b)
{
    if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size())
        return false;
    for (std::size_t i = 0; i < a.items.size(); ++i) {
        const ConfigNode *other = a.isMap() ? b.find(a.keys[i]) : &b.items[i];
        if (!other || !sameConfig(a.items[i], *other))
            return false;
    }
    return true;
}

Result<ConfigNode> readJson(std::string_view text)
{
    Builder builder;
    if (parse(text, builder))
        return std::move(builder.root);
    Error error{ErrorKind::BadInput};
    error.message = builder.problem.empty() ? "not JSON" : builder.problem;
    return tl::unexpected(error);
}

std::string writeJson(const ConfigNode &node)
{
    std::string out;
    write(node, -1, out);
    return out;
}

std::string prettyJson(const ConfigNode &node)
{
    std::string out;
    write(node, 0, out);
    return out + '\n';
}

} // namespace switchyard::actions
