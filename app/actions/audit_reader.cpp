// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/audit_reader.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>
#include <utility>

namespace switchyard::actions {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 pieceSize = 64 * 1024;
constexpr qint64 mostRead = 256 * 1024 * 1024;     // of a file that holds something else
constexpr qsizetype longestLine = 4 * 1024 * 1024; // what the API server takes is smaller

// The lines of a file, the last one first.
class LinesFromTheEnd
{
public:
    explicit LinesFromTheEnd(QFile &file)
        : m_file(file)
        , m_left(file.size())
    {}

    bool gaveUp() const { return m_gaveUp; }

    // nullopt: no more. A line that is too long comes back as one that is none.
    std::optional<QByteArray> next()
    {
        while (true) {
            const qsizetype end = m_buffer.lastIndexOf('\n', m_searched);
            if (end >= 0) {
                QByteArray line = m_buffer.mid(end + 1);
                m_buffer.truncate(end);
                m_searched = -1;
                return taken(std::move(line));
            }
            if (m_left == 0) {
                if (m_done)
                    return std::nullopt;
                m_done = true;
                return taken(std::move(m_buffer));
            }
            if (m_read > mostRead) {
                m_gaveUp = true;
                return std::nullopt;
            }
            readPiece();
        }
    }

private:
    void readPiece()
    {
        const qint64 size = std::min(pieceSize, m_left);
        m_left -= size;
        m_read += size;
        const QByteArray piece = m_file.seek(m_left) ? m_file.read(size) : QByteArray();
        if (piece.size() != size)
            m_left = 0; // it became shorter: what is there is all
        if (m_buffer.size() > longestLine) {
            m_tooLong = true;
            m_buffer.clear();
        }
        m_searched = piece.size() - 1;
        m_buffer.prepend(piece);
    }

    QByteArray taken(QByteArray line)
    {
        if (std::exchange(m_tooLong, false))
            return QByteArray("?");
        return line;
    }

    QFile &m_file;
    qint64 m_left, m_read = 0;
    QByteArray m_buffer;
    qsizetype m_searched = -1; // there is no line end behind this; -1: not looked at yet
    bool m_tooLong = false, m_done = false, m_gaveUp = false;
};

std::string text(const QJsonObject &line, QLatin1String key)
{
    return line.value(key).toString().toStdString();
}

std::optional<std::string> optionalText(const QJsonObject &line, QLatin1String key)
{
    const QJsonValue value = line.value(key);
    return value.isString() ? std::optional(value.toString().toStdString()) : std::nullopt;
}

std::optional<Instant> timeOf(const QJsonObject &line)
{
    return parseInstant(text(line, "time"_L1));
}

void addIntent(AuditEntry &entry, const QJsonObject &line)
{
    entry.hasIntent = true;
    entry.at = timeOf(line);
    entry.osUser = text(line, "os_user"_L1);
    entry.context = text(line, "context"_L1);
    entry.ns = text(line, "namespace"_L1);
    entry.scope = text(line, "scope"_L1);
    if (line.value("group"_L1).isDouble())
        entry.group = line.value("group"_L1).toInt();
    entry.server = text(line, "server"_L1);
    entry.user = text(line, "user"_L1);
    entry.asUser = text(line, "as_user"_L1);
    entry.verb = text(line, "verb"_L1);
    entry.resource = text(line, "resource"_L1);
    entry.name = text(line, "name"_L1);
    entry.path = text(line, "path"_L1);
    entry.member = text(line, "member"_L1);
    entry.versionBefore = optionalText(line, "based_on_version"_L1);
    entry.summary = text(line, "summary"_L1);
    entry.preflight = text(line, "preflight"_L1);
    entry.dryRun = text(line, "dry_run"_L1);
    entry.body = text(line, "body"_L1);
    entry.action = text(line, "action"_L1);
    if (entry.action.empty())
        entry.action = entry.summary.substr(0, entry.summary.find(' '));
}

void addAnswer(AuditEntry &entry, const QJsonObject &line)
{
    if (!entry.result.empty())
        return; // a later one is there already
    entry.result = text(line, "result"_L1);
    entry.answeredAt = timeOf(line);
    entry.httpStatus = line.value("http_status"_L1).toInt();
    entry.versionAfter = optionalText(line, "version_after"_L1);
    entry.detail = text(line, "detail"_L1);
}

void addOutcome(AuditEntry &entry, const QJsonObject &line)
{
    if (!entry.outcome.empty())
        return;
    entry.outcome = text(line, "outcome"_L1);
    entry.outcomeAt = timeOf(line);
    entry.outcomeDetail = text(line, "detail"_L1);
}

class Collector
{
public:
    AuditPage page;

    // False: there are enough.
    bool add(const QByteArray &bytes, std::size_t most)
    {
        const QJsonObject line = QJsonDocument::fromJson(bytes).object();
        const QString event = line.value("event"_L1).toString();
        const std::string id = text(line, "id"_L1);
        const bool intent = event == "intent"_L1, answer = event == "answer"_L1, outcome = event == "outcome"_L1;
        if (id.empty() || (!intent && !answer && !outcome)) {
            page.unreadable += bytes.trimmed().isEmpty() ? 0 : 1;
            return true;
        }
        if ((intent && m_intents == most) || m_met.size() > 4 * most + 1000)
            return false;
        Met &met = m_met[id];
        met.entry.id = id;
        if (intent || met.place == 0)
            met.place = ++m_places;
        if (answer)
            addAnswer(met.entry, line);
        else if (outcome)
            addOutcome(met.entry, line);
        else if (!met.entry.hasIntent)
            addIntent(met.entry, line);
        m_intents += intent ? 1 : 0;
        return true;
    }

    // In the order of their intents. Without one: shown only when none can come, further back in the file.
    void finish(bool more)
    {
        page.more = more;
        std::map<std::size_t, AuditEntry> ordered;
        for (auto &[id, met] : m_met) {
            if (met.entry.hasIntent || !more)
                ordered.emplace(met.place, std::move(met.entry));
        }
        for (auto &[place, entry] : ordered)
            page.entries.push_back(std::move(entry));
    }

private:
    struct Met
    {
        AuditEntry entry;
        std::size_t place = 0; // from the end, of the intent
    };
    std::map<std::string, Met> m_met;
    std::size_t m_places = 0, m_intents = 0;
};

tl::unexpected<Error> failure(const QFile &file)
{
    Error error{ErrorKind::Io};
    error.where = file.fileName().toStdString();
    error.message = "cannot read the audit file: " + file.errorString().toStdString();
    return tl::unexpected(error);
}

} // namespace

Result<AuditPage> readAudit(const QString &path, std::size_t most)
{
    QFile file(path);
    if (!file.exists())
        return AuditPage{};
    if (!file.open(QIODevice::ReadOnly) || file.isSequential())
        return failure(file);
    LinesFromTheEnd lines(file);
    Collector collector;
    bool more = false;
    while (const auto line = lines.next()) {
        if (!collector.add(*line, most)) {
            more = true;
            break;
        }
    }
    collector.finish(more || lines.gaveUp());
    return std::move(collector.page);
}

} // namespace switchyard::actions
