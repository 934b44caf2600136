// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "made_api.h"

#include "objects.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QTimer>

#include <zlib.h>

namespace switchyard::test {

using namespace Qt::StringLiterals;

namespace {

QByteArray text(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QString kindName(const QString &plural)
{
    return plural == u"endpoints"_s ? u"Endpoints"_s
        : plural == u"configmaps"_s ? u"ConfigMap"_s
        : plural == u"pods"_s       ? u"Pod"_s
        : plural == u"nodes"_s      ? u"Node"_s
                                    : u"Lease"_s;
}

QJsonObject metadata(const QJsonObject &object)
{
    return object.value("metadata"_L1).toObject();
}

bool wantsMetadata(const Request &request)
{
    return request.headers.value("accept").contains("as=PartialObjectMetadata");
}

QJsonObject metadataOf(const QJsonObject &object)
{
    return {{u"apiVersion"_s, u"meta.k8s.io/v1"_s}, {u"kind"_s, u"PartialObjectMetadata"_s}, {u"metadata"_s, metadata(object)}};
}

bool labelMatches(const QString &term, const QJsonObject &labels)
{
    if (term.startsWith(u'!'))
        return !labels.contains(term.mid(1));
    const qsizetype equals = term.indexOf(u'=');
    if (equals < 0)
        return labels.contains(term);
    return labels.value(term.left(equals)).toString() == term.mid(equals).remove(u'=');
}

QJsonObject withVersion(QJsonObject object, qint64 version)
{
    QJsonObject meta = metadata(object);
    meta.insert(u"resourceVersion"_s, QString::number(version));
    object.insert(u"metadata"_s, meta);
    return object;
}

QByteArray forbidden(int status, const QString &user, const QString &verb, const QString &resource, const QString &ns)
{
    const QByteArray words =
        u"%1 \\\"\\\" is forbidden: User \\\"%2\\\" cannot %3 resource \\\"%1\\\" in API group \\\"\\\" in the namespace \\\"%4\\\""_s
            .arg(resource, user, verb, ns)
            .toUtf8();
    return statusJson(status, status == 403 ? "Forbidden" : status == 401 ? "Unauthorized" : "NotFound", status == 403 ? words : "no");
}

} // namespace

MadeApi::MadeApi(FakeApiServer::Mode mode)
    : server(mode)
{
    server.setHandler([this](const ExchangePtr &x) { handle(x); });
}

// ---- objects ------------------------------------------------------------------------------------------------------------------

QByteArray MadeApi::json(const QJsonObject &object)
{
    return text(object);
}

void MadeApi::put(const Id &id, const Edit &edit)
{
    const QJsonObject before = m_objects.value(id);
    QJsonObject after = before;
    if (after.isEmpty()) {
        const QJsonObject meta{{u"name"_s, id.name},
                               {u"namespace"_s, id.ns},
                               {u"uid"_s, u"uid-%1-%2"_s.arg(id.name).arg(++m_nextUid)},
                               {u"creationTimestamp"_s, u"2031-02-01T05:00:00Z"_s}};
        after = {{u"kind"_s, kindName(id.kind)}, {u"apiVersion"_s, u"v1"_s}, {u"metadata"_s, meta}};
    }
    edit(after);
    after = withVersion(after, m_version + 1);
    m_objects.insert(id, after);
    note(id, before, after);
}

void MadeApi::erase(const Id &id)
{
    const QJsonObject before = m_objects.take(id);
    if (!before.isEmpty())
        note(id, withVersion(before, m_version + 1), {});
}

void MadeApi::eraseNamespace(const QString &ns)
{
    const auto all = m_objects.keys();
    for (const Id &id : all) {
        if (id.ns == ns)
            erase(id);
    }
}

void MadeApi::note(const Id &id, const QJsonObject &before, const QJsonObject &after)
{
    m_changes.append({++m_version, id, before, after});
    const auto streams = m_streams;
    for (const Stream &stream : streams)
        tell(stream, m_changes.last());
}

void MadeApi::compact()
{
    m_compacted = m_version;
    m_changes.clear();
    m_rests.clear();
}

void MadeApi::restore(qint64 lower)
{
    m_version -= lower;
    m_compacted = 0;
    m_changes.clear();
    m_rests.clear();
    for (QJsonObject &object : m_objects)
        object = withVersion(object, metadata(object).value("resourceVersion"_L1).toString().toLongLong() - lower);
}

void MadeApi::bookmark()
{
    const auto streams = m_streams;
    for (const Stream &stream : streams) {
        const QJsonObject meta{{u"resourceVersion"_s, QString::number(m_version)}};
        const QJsonObject object{{u"kind"_s, kindName(stream.target.kind)}, {u"apiVersion"_s, u"v1"_s}, {u"metadata"_s, meta}};
        send(stream, eventJson("BOOKMARK", text(object)));
    }
}

void MadeApi::line(const QByteArray &bytes)
{
    const auto streams = m_streams;
    for (const Stream &stream : streams)
        send(stream, bytes);
}

// ---- faults -------------------------------------------------------------------------------------------------------------------

void MadeApi::freeze()
{
    m_frozen = true;
    server.freeze();
}

void MadeApi::thaw()
{
    m_frozen = false;
    const auto held = std::exchange(m_held, {});
    for (const auto &[stream, line] : held)
        send(stream, line);
    server.thaw();
}

void MadeApi::halfOpen()
{
    for (const Request &request : server.requests())
        m_dead.insert(request.connection);
}

void MadeApi::cutWatches()
{
    const auto streams = std::exchange(m_streams, {});
    for (const Stream &stream : streams)
        stream.exchange->reset();
}

void MadeApi::endWatches()
{
    const auto streams = std::exchange(m_streams, {});
    for (const Stream &stream : streams)
        stream.exchange->endStream();
}

void MadeApi::rest()
{
    intercept = {};
    transmit = {};
    denials.clear();
    goaway = false;
    trickleBy = 0;
    delay = std::chrono::milliseconds(0);
    server.listenAgain();
    thaw();
}

QStringList MadeApi::openWatches() const
{
    QStringList open;
    for (const Stream &stream : m_streams) {
        const Request &request = stream.exchange->request();
        if (!stream.exchange->closed() && !m_dead.contains(request.connection))
            open.append(u"%1 %2 %3 %4"_s
                            .arg(stream.target.kind, stream.target.ns, request.query(u"labelSelector"_s), request.query(u"fieldSelector"_s))
                            .trimmed());
    }
    open.sort();
    return open;
}

void MadeApi::gzip(const ExchangePtr &x, const QByteArray &body)
{
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        qFatal("no zlib");
    QByteArray in = body, out(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(body.size()))), Qt::Uninitialized);
    stream.next_in = reinterpret_cast<Bytef *>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.truncate(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    x->answer(200, out, {{"Content-Encoding", "gzip"}});
}

void MadeApi::trickle(const ExchangePtr &x, const QByteArray &bytes, qsizetype piece)
{
    x->raw(bytes.left(piece));
    if (bytes.size() > piece)
        QTimer::singleShot(1, [x, rest = bytes.mid(piece), piece] { trickle(x, rest, piece); });
}

void MadeApi::drip(const ExchangePtr &x, const QByteArray &line, qsizetype piece)
{
    const auto waiting = std::find_if(m_drips.begin(), m_drips.end(), [&](const auto &d) { return d.first == x; });
    if (waiting != m_drips.end()) {
        waiting->second += line;
        return;
    }
    m_drips.append({x, line});
    auto *timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this, x, piece, timer] {
        const auto mine = std::find_if(m_drips.begin(), m_drips.end(), [&](const auto &d) { return d.first == x; });
        x->send(mine->second.left(piece));
        mine->second.remove(0, piece);
        if (!mine->second.isEmpty())
            return;
        m_drips.erase(mine);
        timer->deleteLater();
    });
    timer->start(1);
}

// ---- answers ------------------------------------------------------------------------------------------------------------------

QString MadeApi::userOf(const Request &request) const
{
    const QByteArray authorization = request.headers.value("authorization");
    if (authorization.startsWith("Bearer "))
        return tokens.value(authorization.mid(7));
    return request.user;
}

bool MadeApi::denied(const QString &verb, const QString &resource, const QString &ns, const QString &user, int *status) const
{
    const auto fits = [](const QString &rule, const QString &value) { return rule.isEmpty() || rule == value; };
    for (const Denial &d : denials) {
        if (fits(d.verb, verb) && fits(d.resource, resource) && (d.ns.isEmpty() || d.ns == ns) && fits(d.user, user)) {
            *status = d.status;
            return true;
        }
    }
    return false;
}

void MadeApi::answer(const ExchangePtr &x, int status, const QByteArray &body)
{
    if (gzipFrom >= 0 && body.size() >= gzipFrom && x->request().headers.value("accept-encoding").contains("gzip"))
        return gzip(x, body);
    const QDateTime date = QDateTime::currentDateTimeUtc().addSecs(dateOffset.count());
    Exchange::Headers headers{{"Date", QLocale::c().toString(date, u"ddd, dd MMM yyyy HH:mm:ss 'GMT'"_s).toUtf8()}};
    if (goaway)
        headers.emplaceBack("Connection", "close");
    if (trickleBy > 0) {
        QByteArray head = "HTTP/1.1 " + QByteArray::number(status)
            + " Whatever\r\nContent-Type: application/json\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n";
        return trickle(x, head + body, trickleBy);
    }
    x->answer(status, body, headers);
    if (goaway)
        x->close();
}

void MadeApi::handle(const ExchangePtr &x)
{
    const Request &request = x->request();
    if (m_dead.contains(request.connection))
        return;
    if (intercept && intercept(x))
        return;
    if (delay.count() > 0 && !request.isWatch())
        QTimer::singleShot(delay, this, [this, x] { route(x); });
    else
        route(x);
}

void MadeApi::route(const ExchangePtr &x)
{
    const Request &request = x->request();
    const QString path = request.path();
    if (!tokens.isEmpty() && userOf(request).isEmpty())
        return answer(x, 401, statusJson(401, "Unauthorized", "Unauthorized"));
    if (path == u"/version"_s)
        return answer(x, 200, R"({"major":"1","minor":"31","gitVersion":"v1.31.2"})");
    if (path == u"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"_s)
        return review(x);
    QStringList parts = path.split(u'/', Qt::SkipEmptyParts);
    if (!coordination.isEmpty() && parts.value(1) == u"coordination.k8s.io"_s && !coordinates(x, parts))
        return;
    const qsizetype prefix = parts.value(0) == u"apis"_s ? 3 : 2;
    parts = parts.mid(prefix);
    Target target;
    if (parts.value(0) == u"namespaces"_s && parts.size() >= 3) {
        target.ns = parts.at(1);
        parts = parts.mid(2);
    }
    target.kind = parts.value(0);
    target.name = parts.value(1);
    if (!QStringList{u"endpoints"_s, u"configmaps"_s, u"pods"_s, u"leases"_s, u"nodes"_s}.contains(target.kind))
        return answer(x, 404, statusJson(404, "NotFound", "the server could not find the requested resource"));
    if (refuse(x, target))
        return;
    if (request.isWatch())
        watch(x, target);
    else if (target.name.isEmpty())
        list(x, target);
    else
        get(x, target);
}

// False: it is answered.
bool MadeApi::coordinates(const ExchangePtr &x, const QStringList &parts)
{
    const auto offered = coordination.constFind(parts.value(2));
    if (offered != coordination.cend() && parts.size() > 3 && offered->contains(u"leases"_s))
        return true;
    if (offered == coordination.cend() || parts.size() > 3) {
        answer(x, 404, statusJson(404, "NotFound", "the server could not find the requested resource"));
        return false;
    }
    QJsonArray resources;
    for (const QString &name : *offered)
        resources.append(QJsonObject{{u"name"_s, name}, {u"namespaced"_s, true}});
    answer(x, 200, text({{u"kind"_s, u"APIResourceList"_s}, {u"resources"_s, resources}}));
    return false;
}

bool MadeApi::refuse(const ExchangePtr &x, const Target &target)
{
    const QString verb = x->request().isWatch() ? u"watch"_s : target.name.isEmpty() ? u"list"_s : u"get"_s;
    const QString user = userOf(x->request());
    int status = 0;
    if (!denied(verb, target.kind, target.ns, user, &status))
        return false;
    answer(x, status, forbidden(status, user, verb, target.kind, target.ns));
    return true;
}

void MadeApi::review(const ExchangePtr &x)
{
    QJsonObject body = QJsonDocument::fromJson(x->request().body).object();
    const QJsonObject asked = body.value("spec"_L1).toObject().value("resourceAttributes"_L1).toObject();
    const auto field = [&](QLatin1StringView name) { return asked.value(name).toString(); };
    int status = 0;
    const bool no = denied(field("verb"_L1), field("resource"_L1), field("namespace"_L1), userOf(x->request()), &status);
    body.insert(u"status"_s, QJsonObject{{u"allowed"_s, !no}});
    answer(x, 201, text(body));
}

bool MadeApi::matches(const Request &request, const Target &target, const Id &id, const QJsonObject &object)
{
    if (object.isEmpty() || id.kind != target.kind || (!target.ns.isEmpty() && id.ns != target.ns))
        return false;
    const QString name = request.query(u"fieldSelector"_s).section(u"metadata.name="_s, 1);
    if (!name.isEmpty() && name != id.name)
        return false;
    const QJsonObject labels = metadata(object).value("labels"_L1).toObject();
    const QStringList terms = request.query(u"labelSelector"_s).split(u',', Qt::SkipEmptyParts);
    return std::all_of(terms.begin(), terms.end(), [&](const QString &term) { return labelMatches(term, labels); });
}

void MadeApi::list(const ExchangePtr &x, const Target &target)
{
    const Request &request = x->request();
    const QString token = request.query(u"continue"_s);
    Rest rest{{}, m_version};
    if (!token.isEmpty()) {
        if (!m_rests.contains(token))
            return answer(x, 410, statusJson(410, "Expired", "The provided continue parameter is too old"));
        rest = m_rests.take(token);
    } else {
        for (auto it = m_objects.cbegin(); it != m_objects.cend(); ++it) {
            if (matches(request, target, it.key(), it.value()))
                rest.items.append(wantsMetadata(request) ? metadataOf(it.value()) : it.value());
        }
    }
    const qsizetype limit = request.query(u"limit"_s).toInt();
    QJsonObject meta{{u"resourceVersion"_s, QString::number(rest.version)}};
    QByteArrayList items;
    while (!rest.items.isEmpty() && (limit == 0 || items.size() < limit))
        items.append(text(rest.items.takeFirst()));
    if (!rest.items.isEmpty()) {
        const QString next = u"token-%1"_s.arg(++m_nextToken);
        meta.insert(u"continue"_s, next);
        m_rests.insert(next, rest);
    }
    const QByteArray kind = wantsMetadata(request) ? QByteArray("PartialObjectMetadataList")
                                                   : QByteArray(kindName(target.kind).toUtf8() + "List");
    answer(x, 200, R"({"kind":")" + kind + R"(","apiVersion":"v1","metadata":)" + text(meta) + R"(,"items":[)" + items.join(',') + "]}");
}

void MadeApi::get(const ExchangePtr &x, const Target &target)
{
    const QJsonObject object = m_objects.value({target.kind, target.ns, target.name});
    if (object.isEmpty())
        return answer(x, 404, statusJson(404, "NotFound", target.kind.toUtf8() + " \\\"" + target.name.toUtf8() + "\\\" not found"));
    answer(x, 200, text(wantsMetadata(x->request()) ? metadataOf(object) : object));
}

void MadeApi::watch(const ExchangePtr &x, const Target &target)
{
    const qint64 from = x->request().query(u"resourceVersion"_s).toLongLong();
    if (from > m_version)
        return answer(x, 504, statusJson(504, "Timeout", "Too large resource version: " + QByteArray::number(from)));
    if (from < m_compacted) {
        const QByteArray status = statusJson(410, "Expired", "too old resource version: " + QByteArray::number(from));
        if (expiry == Expiry::Status)
            return answer(x, 410, status);
        x->startStream();
        x->send(eventJson("ERROR", status));
        return x->endStream();
    }
    x->startStream();
    m_streams.removeIf([](const Stream &stream) { return stream.exchange->closed(); });
    m_streams.append({x, target, wantsMetadata(x->request())});
    const Stream stream = m_streams.last();
    const auto changes = m_changes;
    for (const Change &change : changes) {
        if (change.version > from)
            tell(stream, change);
    }
}

void MadeApi::tell(const Stream &stream, const Change &change)
{
    const Request &request = stream.exchange->request();
    const bool was = matches(request, stream.target, change.id, change.before);
    const bool is = matches(request, stream.target, change.id, change.after);
    if (!was && !is)
        return;
    const QJsonObject object = is ? change.after : withVersion(change.before, change.version);
    send(stream, eventJson(is ? (was ? "MODIFIED" : "ADDED") : "DELETED", text(stream.metadataOnly ? metadataOf(object) : object)));
}

void MadeApi::send(const Stream &stream, const QByteArray &line)
{
    if (m_dead.contains(stream.exchange->request().connection))
        return;
    if (m_frozen)
        m_held.append({stream, line});
    else if (transmit)
        transmit(stream.exchange, line);
    else
        stream.exchange->send(line);
}

} // namespace switchyard::test
