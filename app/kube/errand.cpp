// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/errand.h"

#include "app/kube/reply_error.h"
#include "app/kube/unauthorized.h"

namespace switchyard::kube {

using std::chrono::milliseconds;

namespace {

constexpr int mostRenewals = 3; // a certificate that changes all the time
constexpr int totalFactor = 8;  // a list over a slow line may take longer than one limit, but not for ever

} // namespace

Errand::Errand(Wire *wire, Order order, QObject *context, Client::Done done, milliseconds limit, QObject *parent)
    : QObject(parent)
    , m_wire(wire)
    , m_order(std::move(order))
    , m_context(context)
    , m_done(std::move(done))
    , m_limit(limit)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer); // no sooner than the server asked for
}

namespace {

Response addressed(Response response, const Order &order)
{
    if (!response.error)
        return response;
    response.error = addressed(*response.error, order.verb, order.path);
    if (!order.rawPath.isEmpty())
        response.error->resource = order.rawPath.toStdString();
    return response;
}

} // namespace

Error Errand::tooLate()
{
    return Error{.kind = ErrorKind::Unauthorized,
                 .message = tr("the credential was not there in time; nothing was sent").toStdString(),
                 .advice = tr("look at the object again before you try again").toStdString()};
}

void Errand::start()
{
    if (m_wire->defect())
        return fail(*m_wire->defect());
    limitWait(m_limit);
    m_wire->material(this, [this](const Result<Material> &material) { onMaterial(material); });
}

// Nobody waits for a write whose credential may take as long as a person needs to log in.
void Errand::limitWait(milliseconds most)
{
    if (!m_order.isWrite())
        return;
    connect(&m_timer, &QTimer::timeout, this, [this] { fail(tooLate()); });
    m_timer.start(std::max(most, milliseconds(0)));
}

void Errand::onMaterial(const Result<Material> &material)
{
    if (m_over)
        return;
    m_timer.stop();
    m_timer.disconnect(this);
    if (!material)
        return fail(material.error());
    m_material = *material;
    if (!m_clock.isValid()) {
        m_clock.start();
        m_servers = m_wire->servers().inOrder();
        m_plan = plan();
    }
    if (m_order.isWrite() && left() <= milliseconds(0))
        return fail(tooLate());
    tryOnce();
}

// A Pod that does not answer is no reason to ask for it anywhere else, and may take all of the time.
TryPlan Errand::plan() const
{
    const bool toPod = m_order.path.leadsToPod();
    TryPlan made = planTries(m_limit, static_cast<int>(m_servers.size()), toPod || m_order.isWrite());
    if (toPod && !m_order.isWrite())
        made.perTry = m_limit;
    return made;
}

bool Errand::answeredByPod(const Response &response) const
{
    return m_order.path.proxy && response.status != 0 && !response.error;
}

milliseconds Errand::left() const
{
    return m_limit - milliseconds(m_clock.elapsed());
}

void Errand::tryOnce()
{
    if (!m_context)
        return deleteLater();
    const QString server = m_servers.at((m_tries / m_plan.triesPerServer) % m_plan.servers);
    ++m_tries;
    OnceDevice *body = m_order.isWrite() ? new OnceDevice(m_order.body) : nullptr;
    const Result<QNetworkReply *> reply = m_wire->send(m_order, server, m_material, body);
    if (!reply) {
        delete body;
        Response response;
        response.error = reply.error();
        response.server = server;
        response.connected = false;
        return decide(response, false);
    }
    const milliseconds most = std::min(m_plan.perTry, std::max(left(), shortestTry));
    const CallLimits limits{most, m_order.isWrite() ? std::max(left(), most) : most * totalFactor, m_limit, m_order.mostBytes};
    new Call(
        *reply, {server, m_order.verb, m_order.path}, body, this,
        [this, reply = *reply, server, body = QPointer(body)](const Response &response) {
            onResponse(response, reply, server, !body || body->touched());
        },
        limits);
}

void Errand::onResponse(const Response &response, QNetworkReply *reply, const QString &server, bool taken)
{
    if (retired(reply) && !m_order.isWrite() && ++m_renewals <= mostRenewals) {
        beginAgain();
        return tryAgain();
    }
    if (response.status != 0) {
        m_wire->servers().worked(server);
        Q_EMIT answered(response);
    } else if (!m_order.path.leadsToPod() || !response.connected) {
        m_wire->servers().failed(server);
        if (response.connected)
            m_wire->mistrust(reply, server);
    }
    if (response.status == 401 && !answeredByPod(response))
        onRefusedCredential(response);
    else
        decide(response, taken);
}

void Errand::onRefusedCredential(const Response &response)
{
    Response told = response;
    if (m_asked || m_order.isWrite())
        told.error = notAccepted(*response.error, m_wire->config());
    if (m_order.isWrite()) {
        // The next one may then work. This one is not sent again: it was confirmed as it was.
        m_wire->renew(m_material, *response.error, m_wire, [](const Result<Material> &) {});
        told.error->advice += tr("; nothing was written, and it was not sent again").toStdString();
    }
    if (m_asked || m_order.isWrite())
        return finish(std::move(told));
    m_asked = true;
    m_wire->renew(m_material, *response.error, this, [this, told](const Result<Material> &material) mutable {
        if (material) {
            beginAgain();
            return onMaterial(material);
        }
        told.error = material.error();
        finish(std::move(told));
    });
}

// With all of its time: what a plugin or a person needed for the credential is not the server's fault.
void Errand::beginAgain()
{
    m_clock.invalidate();
    m_tries = 0;
}

// As whoever we are by now.
void Errand::tryAgain()
{
    limitWait(left());
    m_wire->material(this, [this](const Result<Material> &material) { onMaterial(material); });
}

void Errand::decide(const Response &response, bool taken)
{
    if (answeredByPod(response))
        return finish(response);
    Tried tried;
    tried.status = response.status;
    tried.complete = response.ok();
    tried.refused = !response.connected;
    tried.final = response.error && (response.error->kind == ErrorKind::Gone || (m_order.path.leadsToPod() && response.status != 429));
    tried.retryAfter = response.error ? response.error->retryAfterSeconds : std::nullopt;
    tried.write = m_order.isWrite();
    tried.taken = taken;
    const Step step = afterTry(m_plan, tried, {m_tries, m_waits, left()});
    switch (step.kind) {
    case Step::Kind::Answer: return finish(response);
    case Step::Kind::Next: return tryAgain();
    case Step::Kind::Wait:
        ++m_waits;
        connect(&m_timer, &QTimer::timeout, this, &Errand::tryAgain);
        m_timer.start(step.wait);
    }
}

// From the event loop, also when the reason is known at once.
void Errand::fail(Error error)
{
    m_over = true;
    Response response;
    response.error = std::move(error);
    response.server = m_wire->servers().current();
    QTimer::singleShot(0, this, [this, response] { finish(response); });
}

void Errand::finish(Response response)
{
    m_over = true;
    m_timer.stop();
    deleteLater();
    response = addressed(std::move(response), m_order);
    if (response.error && response.status == 0 && m_tries > 1 && m_plan.servers > 1)
        response.error->message += tr(" (%1 API servers were tried)").arg(std::min(m_tries, m_plan.servers)).toStdString();
    const Client::Done done = std::exchange(m_done, nullptr);
    if (m_context && done)
        done(response);
}

} // namespace switchyard::kube
