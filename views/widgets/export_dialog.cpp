// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/export_dialog.h"

#include "views/style/metrics.h"
#include "views/words.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QStandardPaths>
#include <QToolButton>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using What = ExportRequest::What;

namespace {

QString whatCode(int what)
{
    switch (static_cast<What>(what)) {
    case What::Clusters: return u"clusters"_s;
    case What::Members: return u"members"_s;
    case What::History: return u"history"_s;
    case What::Events: return u"events"_s;
    case What::Transitions: return u"transitions"_s;
    case What::Audit: return u"audit"_s;
    }
    return {};
}

QString extension(const QString &format)
{
    return format == "table"_L1 ? u"txt"_s : format;
}

QString folder()
{
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QDir(documents).exists() ? documents : QDir::homePath();
}

} // namespace

ExportDialog::ExportDialog(What what, std::optional<patroni::ClusterKey> one, std::vector<patroni::ClusterKey> shown, bool filtered,
                           QWidget *parent)
    : QDialog(parent)
    , m_one(std::move(one))
    , m_shown(std::move(shown))
    , m_filtered(filtered)
    , m_what(new QComboBox(this))
    , m_which(new QComboBox(this))
    , m_format(new QComboBox(this))
    , m_file(new QLineEdit(this))
{
    setWindowTitle(tr("Export"));
    m_what->addItem(tr("Clusters"), int(What::Clusters));
    m_what->addItem(tr("Members"), int(What::Members));
    m_what->addItem(tr("Timeline history"), int(What::History));
    m_what->addItem(tr("Transitions of leadership"), int(What::Transitions));
    m_what->addItem(tr("Events"), int(What::Events));
    m_what->addItem(tr("Audit trail, as the page Audit shows it"), int(What::Audit));
    m_what->setCurrentIndex(m_what->findData(int(what)));
    if (m_one)
        m_which->addItem(text(m_one->text()), true);
    m_which->addItem(
        m_filtered ? tr("the %1 clusters shown by the filter").arg(m_shown.size()) : tr("all clusters (%1)").arg(m_shown.size()), false);
    const std::pair<QString, QString> formats[] = {{u"csv"_s, tr("CSV, comma-separated")}, {u"tsv"_s, tr("TSV, tab-separated")},
                                                   {u"json"_s, tr("JSON, one array")},     {u"ndjson"_s, tr("NDJSON, one object a line")},
                                                   {u"md"_s, tr("Markdown table")},        {u"table"_s, tr("Text table")}};
    for (const auto &[code, name] : formats)
        m_format->addItem(name, code);
    auto *browse = new QPushButton(tr("&Browse..."), this);
    browse->setAutoDefault(false);
    auto *form = new QFormLayout(this);
    form->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    form->setSpacing(grid);
    form->addRow(tr("&What"), m_what);
    form->addRow(tr("&Of"), m_which);
    form->addRow(tr("&Format"), m_format);
    auto *line = new QHBoxLayout;
    line->addWidget(m_file, 1);
    line->addWidget(browse);
    auto *into = new QLabel(tr("In&to"), this); // a layout cannot be a label's buddy: the mark would be shown as it is
    into->setBuddy(m_file);
    form->addRow(into, line);
    m_file->setAccessibleName(tr("File to write"));
    m_file->setMinimumWidth(360);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_export = buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole);
    m_export->setDefault(true);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_file, &QLineEdit::textEdited, this, [this] { m_named = true; });
    connect(m_file, &QLineEdit::textChanged, this, &ExportDialog::validate);
    for (QComboBox *box : {m_what, m_which, m_format})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::suggest);
    const auto ofClusters = [this] { m_which->setEnabled(m_what->currentData().toInt() != int(What::Audit)); };
    connect(m_what, &QComboBox::currentIndexChanged, this, ofClusters);
    ofClusters();
    suggest();
}

void ExportDialog::suggest()
{
    const QString format = m_format->currentData().toString();
    if (m_named) { // only the ending follows the format
        const qsizetype dot = m_file->text().lastIndexOf(u'.');
        if (dot > m_file->text().lastIndexOf(u'/'))
            m_file->setText(m_file->text().left(dot) + u'.' + extension(format));
        return;
    }
    const bool one = m_which->currentData().toBool();
    const QString of = one ? u"-"_s + text(m_one->ns) + u'-' + text(m_one->base) : QString();
    m_file->setText(folder() + u"/switchyard-"_s + whatCode(m_what->currentData().toInt()) + of + u'.' + extension(format));
}

void ExportDialog::browse()
{
    const QString file = QFileDialog::getSaveFileName(this, tr("Export into"), m_file->text());
    if (file.isEmpty())
        return;
    m_named = true;
    m_file->setText(file);
}

void ExportDialog::validate()
{
    const QString file = m_file->text().trimmed();
    const bool replaces = QFileInfo::exists(file); // said before, and not by a mere Enter
    m_export->setEnabled(!file.isEmpty());
    m_export->setText(replaces ? tr("&Replace the file") : tr("&Export"));
    m_export->setDefault(!replaces);
    m_export->setAutoDefault(!replaces);
}

ExportRequest ExportDialog::request() const
{
    ExportRequest r;
    r.what = static_cast<What>(m_what->currentData().toInt());
    r.format = m_format->currentData().toString();
    r.file = m_file->text().trimmed();
    if (m_which->currentData().toBool())
        r.clusters = {*m_one};
    else if (m_filtered)
        r.clusters = m_shown;
    return r;
}

} // namespace switchyard::views
