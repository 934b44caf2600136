// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/side_tree.h"

#include "models/items/fleet_values.h"
#include "views/style/marks.h"
#include "views/style/metrics.h"
#include "views/style/shapes.h"
#include "views/widgets/cell_roles.h"
#include "views/widgets/context_bar.h"
#include "views/words.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace switchyard::views {

using namespace patroni;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int CountRole = Qt::UserRole + 200; // text: clusters below
constexpr int KeyItemRole = CountRole + 1;    // ClusterKey of a cluster
constexpr int ContextRole = CountRole + 2;
constexpr int NsRole = CountRole + 3;
constexpr int StaleItemRole = CountRole + 4;
constexpr int MarkRole = CountRole + 5; // code of the user's colour of a context

class SideDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const override { return {8 * grid, rowHeight(option.font)}; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool selected = option.state & QStyle::State_Selected;
        const QColor ground = option.palette.color(selected ? QPalette::Highlight : QPalette::Window);
        QColor text = option.palette.color(QPalette::WindowText), tone = readableOn(toneColor(toneAt(index), option.palette), ground, text);
        QColor quiet = readableOn(secondaryText(option.palette), ground, text);
        if (index.data(StaleItemRole).toBool())
            for (QColor *c : {&text, &tone, &quiet})
                *c = dimmed(*c, ground);
        painter->save();
        painter->fillRect(option.rect, ground);
        if (const QColor mark = markColour(index.data(MarkRole).toString(), option.palette); mark.isValid())
            painter->fillRect(QRect(option.rect.right() - 3, option.rect.top() + 3, 4, option.rect.height() - 6), mark);
        QRect rect = option.rect.adjusted(2, 0, -grid, 0);
        const int side = qMax(8, qRound(option.fontMetrics.height() * 0.7));
        paintShape(*painter, QRectF(rect.left(), rect.center().y() + 0.5 - side / 2.0, side, side), toneAt(index), tone);
        rect.setLeft(rect.left() + side + 6);
        const bool place = index.data(CountRole).isValid();
        painter->setFont(place && !index.parent().isValid() ? strongFont(option.font) : option.font);
        if (place) {
            // A count, or a state in words: the name comes first, and no state takes more than half of its room.
            const int nameWidth = painter->fontMetrics().horizontalAdvance(index.data().toString());
            const int room = qMax(rect.width() - nameWidth - grid, rect.width() / 2);
            painter->save();
            painter->setFont(option.font);
            const QString count = painter->fontMetrics().elidedText(index.data(CountRole).toString(), Qt::ElideRight, room);
            painter->setPen(quiet);
            painter->drawText(rect, int(Qt::AlignRight | Qt::AlignVCenter), count);
            rect.setRight(rect.right() - painter->fontMetrics().horizontalAdvance(count) - grid);
            painter->restore();
        }
        painter->setPen(text);
        painter->drawText(rect, int(Qt::AlignLeft | Qt::AlignVCenter),
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, rect.width()));
        if (option.state & QStyle::State_HasFocus) {
            painter->setPen(accentColor(option.palette));
            painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        }
        painter->restore();
    }

private:
    static Tone toneAt(const QModelIndex &index) { return static_cast<Tone>(index.data(ToneRole).toInt()); }
};

} // namespace

// One line of the list; a parent comes before its children.
struct SideTree::Node
{
    QString path, parent, name, context, ns;
    std::optional<ClusterKey> key;
    Health worst = Health::Healthy;
    int count = 0;
    bool stale = false;
    std::optional<Tone> tone; // else the tone of `worst`
    QString mark{}, state{};  // of a context: the user's colour; in words, unless it is live
    QString guard{};          // of a context: in words, against writes
    bool moreUnknown = false; // a context that was never read may hold any number of clusters
    bool operator==(const Node &) const = default;
};

// The name of the kubeconfig stands behind an alias.
QString SideTree::contextTip(const Node &node)
{
    return node.parent.isEmpty() && !node.context.isEmpty() && node.name != node.context ? u"%1 (%2)"_s.arg(node.name, node.context)
                                                                                         : node.name;
}

QString SideTree::countText(const Node &node)
{
    if (!node.moreUnknown)
        return QString::number(node.count);
    return node.count == 0 ? u"?"_s : QString::number(node.count) + u'+';
}

// What stands at the right of a place: how many clusters, or why that is not known; and what guards it.
QString SideTree::rightText(const Node &node)
{
    const QString count = node.state.isEmpty() ? countText(node) : node.state;
    return node.guard.isEmpty() ? count : node.guard + u"  "_s + count;
}

SideTree::~SideTree() = default;

SideTree::SideTree(items::FleetModel *fleet, QWidget *parent)
    : QTreeWidget(parent)
    , m_fleet(fleet)
{
    setHeaderHidden(true);
    setFrameShape(QFrame::NoFrame);
    setIndentation(14);
    setUniformRowHeights(true);
    setItemDelegate(new SideDelegate(this));
    setAccessibleName(tr("Contexts, namespaces and clusters"));
    setTextElideMode(Qt::ElideMiddle);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    header()->setStretchLastSection(true);
    header()->setMinimumSectionSize(0); // else a narrow list is cut off at its edge
    setBackgroundRole(QPalette::Window);
    viewport()->setBackgroundRole(QPalette::Window);
    setRootIsDecorated(true);
    m_throttle.setSingleShot(true);
    m_throttle.setInterval(200ms);
    connect(&m_throttle, &QTimer::timeout, this, &SideTree::refresh);
    const auto later = [this] {
        if (!m_throttle.isActive())
            m_throttle.start();
    };
    connect(fleet, &QAbstractItemModel::rowsInserted, this, later);
    connect(fleet, &QAbstractItemModel::rowsRemoved, this, later);
    connect(fleet, &QAbstractItemModel::modelReset, this, later);
    connect(fleet, &QAbstractItemModel::dataChanged, this,
            [this, later](const QModelIndex &first, const QModelIndex &last, const QList<int> &roles) {
                const bool judged = first.column() == items::FleetModel::Health && roles.contains(int(items::CodeRole)); // not for ages
                if (judged && looksDifferent(first.row(), last.row()))
                    later();
            });
    connect(this, &QTreeWidget::itemClicked, this, &SideTree::choose);
    connect(this, &QTreeWidget::itemActivated, this, &SideTree::choose);
    refresh();
}

bool SideTree::looksDifferent(int firstRow, int lastRow) const
{
    for (int row = firstRow; row <= lastRow; ++row) {
        const Cluster &c = *m_fleet->clusterAt(row);
        const auto shown = m_looks.find(c.names.key);
        if (shown == m_looks.end() || shown->second != Look(c.health.health, c.view.freshness == Freshness::Stale))
            return true;
    }
    return false;
}

void SideTree::setContexts(const std::vector<ContextStatus> &contexts)
{
    const auto same = [](const ContextStatus &a, const ContextStatus &b) {
        return a.name == b.name && a.shown() == b.shown() && a.freshness == b.freshness && a.state == b.state && a.colour == b.colour
            && a.readOnly == b.readOnly && a.isProtected == b.isProtected;
    };
    const bool changed = !std::equal(contexts.begin(), contexts.end(), m_contexts.begin(), m_contexts.end(), same);
    m_contexts = contexts;
    if (changed)
        refresh();
}

void SideTree::setOpened(const std::optional<ClusterKey> &key)
{
    m_opened = key;
    for (const auto &[path, item] : m_items)
        if (key && item->data(0, KeyItemRole).isValid() && item->data(0, KeyItemRole).value<ClusterKey>() == *key)
            setCurrentItem(item);
}

std::vector<SideTree::Node> SideTree::nodes() const
{
    std::map<QString, Node> byPath;
    Node all{QString(), QString(), tr("All clusters"), {}, {}, {}, Health::Healthy, 0, false, {}};
    const auto touch = [](Node &node, const Cluster &c) {
        ++node.count;
        if (items::healthRank(c.health.health) < items::healthRank(node.worst))
            node.worst = c.health.health;
    };
    for (const ContextStatus &s : m_contexts) {
        Node node{s.name, QString(), s.shown(), s.name, {}, {}, Health::Healthy, 0, s.freshness == Freshness::Stale, {}};
        if (s.freshness != Freshness::Live)
            node.tone = toneOf(s.freshness);
        node.mark = s.colour;
        node.guard = s.readOnly ? tr("read-only") : s.isProtected ? tr("protected") : QString();
        node.state = s.freshness == Freshness::Live ? QString() : stateWord(s);
        byPath[s.name] = node;
    }
    const ClusterKey *last = nullptr; // rows come sorted by context and namespace
    Node *ofContext = nullptr, *ofNs = nullptr;
    QString context, ns, nsPath;
    for (int row = 0; row < m_fleet->rowCount(); ++row) {
        const Cluster &c = *m_fleet->clusterAt(row);
        const ClusterKey &key = c.names.key;
        const QString name = key.group ? u"%1:%2"_s.arg(text(key.scope), QString::number(*key.group)) : text(key.scope);
        if (!last || last->context != key.context || last->ns != key.ns) {
            context = text(key.context), ns = text(key.ns), nsPath = context + u'\n' + ns;
            const Node some{context, QString(), context, context, {}, {}, Health::Healthy, 0, false, {}};
            ofContext = &byPath.try_emplace(context, some).first->second;
            ofNs = &byPath.try_emplace(nsPath, Node{nsPath, context, ns, context, ns, {}, Health::Healthy, 0, false, {}}).first->second;
        }
        last = &key;
        const QString path = nsPath + u'\n' + text(key.base) + u'\n' + name;
        byPath[path] = Node{path, nsPath, name, context, ns, key, c.health.health, 0, c.view.freshness == Freshness::Stale, {}};
        for (Node *node : {&all, ofContext, ofNs})
            touch(*node, c);
    }
    for (const ContextStatus &s : m_contexts) {
        Node &node = byPath[s.name];
        node.moreUnknown = s.freshness != Freshness::Live && node.count == 0;
        all.moreUnknown = all.moreUnknown || node.moreUnknown;
    }
    std::vector<Node> result;
    for (auto &[path, node] : byPath)
        result.push_back(std::move(node));
    const auto order = [](const Node &n) { return std::pair(n.path.count(u'\n'), n.tone == Tone::Bad ? -1 : items::healthRank(n.worst)); };
    std::stable_sort(result.begin(), result.end(), [&order](const Node &a, const Node &b) { return order(a) < order(b); });
    result.insert(result.begin(), std::move(all));
    return result;
}

QTreeWidgetItem *SideTree::place(QTreeWidgetItem *parent, int row, const QString &path, const QString &name)
{
    QTreeWidgetItem *&item = m_items[path];
    if (!item)
        return item = new QTreeWidgetItem({name}); // into the tree once it has its data: no view to tell of each
    if (parent->child(row) == item)
        return item;
    std::map<QTreeWidgetItem *, bool> expanded; // taking an item out folds everything below it
    const auto note = [&expanded](auto &&self, QTreeWidgetItem *at) -> void {
        expanded[at] = at->isExpanded();
        for (int i = 0; i < at->childCount(); ++i)
            self(self, at->child(i));
    };
    note(note, item);
    QTreeWidgetItem *current = currentItem();
    parent->removeChild(item);
    parent->insertChild(row, item);
    for (const auto &[at, open] : expanded)
        at->setExpanded(open);
    if (current)
        setCurrentItem(current, 0, QItemSelectionModel::ClearAndSelect);
    return item;
}

void SideTree::build(const std::vector<Node> &list)
{
    std::map<QTreeWidgetItem *, int> next;
    for (const Node &node : list) {
        QTreeWidgetItem *parent = node.path.isEmpty() || node.parent.isEmpty() ? invisibleRootItem() : m_items.at(node.parent);
        const int row = next[parent]++;
        QTreeWidgetItem *item = place(parent, row, node.path, node.name);
        Node &shown = m_shown[node.path];
        if (item->data(0, ToneRole).isValid() && shown == node)
            continue;
        shown = node;
        const Tone tone = node.tone.value_or(node.count == 0 && !node.key ? Tone::Neutral : toneOf(node.worst));
        item->setText(0, node.name);
        item->setData(0, MarkRole, node.mark);
        item->setData(0, ToneRole, int(tone));
        item->setData(0, ContextRole, node.context);
        item->setData(0, NsRole, node.ns);
        item->setData(0, StaleItemRole, node.stale);
        const QString tip = node.key ? text(node.key->text()) : contextTip(node);
        QStringList more{node.state, node.guard};
        more.removeAll(QString());
        item->setToolTip(0, more.isEmpty() ? tip : tr("%1: %2", "context: state").arg(tip, more.join(u", "_s)));
        if (node.key)
            item->setData(0, KeyItemRole, QVariant::fromValue(*node.key));
        else
            item->setData(0, CountRole, rightText(node));
        item->setData(0, Qt::AccessibleTextRole,
                      node.key ? tr("cluster %1, %2").arg(text(node.key->text()), words(node.worst))
                               : tr("%1, clusters: %2, worst: %3")
                                     .arg(more.isEmpty() ? node.name : tr("%1, %2", "context, state").arg(node.name, more.join(u", "_s)),
                                          node.moreUnknown && node.count == 0 ? unknownText() : countText(node),
                                          node.count ? words(node.worst) : tr("none")));
        if (item->treeWidget())
            continue;
        parent->insertChild(row, item);
        if (!node.key)
            item->setExpanded(true);
    }
}

void SideTree::refresh()
{
    const std::vector<Node> list = nodes();
    std::set<QString> wanted;
    m_looks.clear();
    for (const Node &node : list) {
        wanted.insert(node.path);
        if (node.key)
            m_looks.emplace(*node.key, Look(node.worst, node.stale));
    }
    // Children first: a deleted parent takes its children with it.
    for (auto it = m_items.rbegin(); it != m_items.rend();) {
        if (wanted.contains(it->first)) {
            ++it;
            continue;
        }
        delete it->second;
        m_shown.erase(it->first);
        it = std::make_reverse_iterator(m_items.erase(std::next(it).base()));
    }
    build(list);
    if (!currentItem() && topLevelItemCount() > 0 && !m_opened)
        setCurrentItem(topLevelItem(0));
}

void SideTree::choose(QTreeWidgetItem *item)
{
    if (item->data(0, KeyItemRole).isValid())
        Q_EMIT clusterChosen(item->data(0, KeyItemRole).value<ClusterKey>());
    else
        Q_EMIT placeChosen(item->data(0, ContextRole).toString(), item->data(0, NsRole).toString());
}

} // namespace switchyard::views
