// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/record_dialog.h"

#include "views/style/metrics.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace switchyard::views {

RecordDialog::RecordDialog(const QString &suggestedFile, QWidget *parent)
    : QDialog(parent)
    , m_file(new QLineEdit(suggestedFile, this))
    , m_names(new QCheckBox(tr("&Replace names"), this))
    , m_start(new QPushButton(tr("&Start recording"), this))
{
    setWindowTitle(tr("Record"));
    auto *what = new QLabel(tr("Records what all open contexts are seen to do from now on, for a bug report or for later: open it with "
                               "switchyard --replay FILE.\n\nOnly names, labels, versions, Patroni's own annotations, addresses and the "
                               "states of Pods are written. Passwords, connection strings and commands in the configuration are "
                               "left out."),
                            this);
    what->setWordWrap(true);
    auto *browse = new QPushButton(tr("&Browse..."), this);
    browse->setAutoDefault(false);
    connect(browse, &QPushButton::clicked, this, &RecordDialog::browse);
    auto *row = new QHBoxLayout;
    auto *label = new QLabel(tr("&File"), this);
    label->setBuddy(m_file);
    row->addWidget(label);
    row->addWidget(m_file, 1);
    row->addWidget(browse);
    m_names->setToolTip(tr("Clusters, members, namespaces, contexts, hosts and addresses get other names, the same ones throughout."));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(m_start, QDialogButtonBox::AcceptRole);
    m_start->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_file, &QLineEdit::textChanged, this, [this] { m_start->setEnabled(!file().isEmpty()); });
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    layout->setSpacing(grid);
    layout->addWidget(what);
    layout->addLayout(row);
    layout->addWidget(m_names);
    layout->addWidget(captionLabel(tr("Clusters, members, namespaces, hosts and addresses get other names."), this));
    layout->addStretch();
    layout->addWidget(buttons);
    resize(70 * grid, sizeHint().height());
}

QString RecordDialog::file() const
{
    return m_file->text().trimmed();
}

void RecordDialog::browse()
{
    const QString chosen = QFileDialog::getSaveFileName(this, tr("Record into"), file(), tr("Recordings (*.ndjson.gz)"));
    if (!chosen.isEmpty())
        m_file->setText(chosen);
}

} // namespace switchyard::views
