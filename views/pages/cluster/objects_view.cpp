// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/objects_view.h"

#include "views/secrets.h"
#include "views/style/icons.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTextCursor>
#include <QVBoxLayout>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

QString nameOf(const patroni::Cluster &cluster, const std::string &role)
{
    const auto &n = cluster.names;
    return text(role == "leader" ? n.leaderName : role == "config" ? n.configName : role == "failover" ? n.failoverName : n.syncName);
}

QString whyMissing(const std::string &role)
{
    if (role == "failover")
        return ObjectsView::tr("normal until the first switchover or failover is asked for");
    if (role == "sync")
        return ObjectsView::tr("normal until synchronous mode is first enabled");
    if (role == "leader")
        return ObjectsView::tr("normal only while the cluster is being initialized");
    return ObjectsView::tr("normal only before the cluster is initialized");
}

QString lines(const QString &title, const std::map<std::string, std::string> &pairs)
{
    const auto leftOut = [](const auto &pair) { return isLeftOut(text(pair.first)); };
    if (std::all_of(pairs.begin(), pairs.end(), leftOut))
        return u"  "_s + ObjectsView::tr("%1: none").arg(title) + u'\n';
    QString result = u"  "_s + title + u":\n"_s;
    qsizetype widest = 0;
    for (const auto &[key, value] : pairs)
        widest = qMax(widest, qMin<qsizetype>(28, text(key).size()));
    for (const auto &pair : pairs)
        if (!leftOut(pair))
            result += u"    "_s + text(pair.first).leftJustified(widest) + u"  "_s + shownValue(text(pair.first), text(pair.second))
                + u'\n';
    return result;
}

} // namespace

QString objectText(const patroni::Cluster &cluster, const std::string &role)
{
    const QString kind = words(cluster.names.mode), ns = text(cluster.names.key.ns);
    const auto it = cluster.objects.find(role);
    if (it == cluster.objects.end()) {
        if (cluster.view.freshness != patroni::Freshness::Live)
            return ObjectsView::tr("%1 %2/%3: not known").arg(kind, ns, nameOf(cluster, role)) + u'\n';
        if (cluster.foreignLocks.contains(role))
            return ObjectsView::tr("%1 %2/%3 is the lock of another cluster").arg(kind, ns, nameOf(cluster, role)) + u'\n';
        return ObjectsView::tr("%1 %2/%3 does not exist (%4)").arg(kind, ns, nameOf(cluster, role), whyMissing(role)) + u'\n';
    }
    const KubeObject &object = it->second;
    return u"%1 %2/%3  resourceVersion %4\n"_s.arg(kind, text(object.ns), text(object.name), text(object.resourceVersion))
        + lines(ObjectsView::tr("annotations"), object.annotations) + lines(ObjectsView::tr("labels"), object.labels);
}

ObjectsView::ObjectsView(QWidget *parent)
    : QWidget(parent)
    , m_text(new QPlainTextEdit(this))
    , m_copy(new QPushButton(tr("&Copy all"), this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, grid / 2, 0, 0);
    auto *row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_copy);
    column->addLayout(row);
    column->addWidget(m_text, 1);
    m_text->setMinimumHeight(12 * grid);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(monospaceFont(font()));
    m_text->setAccessibleName(tr("Raw objects"));
    m_text->setTabChangesFocus(true);
    m_copy->setIcon(icon(u"copy"_s, palette()));
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text->toPlainText()); });
}

QString ObjectsView::text() const
{
    return m_text->toPlainText();
}

void ObjectsView::show(const patroni::Cluster &cluster)
{
    QString all;
    for (const char *role : {"leader", "config", "failover", "sync"})
        all += objectText(cluster, role) + u'\n';
    if (all == m_text->toPlainText())
        return;
    const int x = m_text->horizontalScrollBar()->value(), y = m_text->verticalScrollBar()->value();
    const QTextCursor before = m_text->textCursor();
    const int anchor = before.anchor(), position = before.position();
    m_text->setPlainText(all); // renewals change it every loop: the reader keeps their place and selection
    QTextCursor after = m_text->textCursor();
    const int last = static_cast<int>(all.size());
    after.setPosition(qMin(anchor, last));
    after.setPosition(qMin(position, last), QTextCursor::KeepAnchor);
    m_text->setTextCursor(after);
    m_text->horizontalScrollBar()->setValue(x);
    m_text->verticalScrollBar()->setValue(y);
}

void ObjectsView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_copy->setIcon(icon(u"copy"_s, palette()));
}

} // namespace switchyard::views
