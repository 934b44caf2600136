// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is recorded, into which file, with which names.
#include <QCheckBox>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>

namespace switchyard::views {

class RecordDialog : public QDialog
{
    Q_OBJECT
public:
    RecordDialog(const QString &suggestedFile, QWidget *parent = nullptr);
    QString file() const;
    bool replaceNames() const { return m_names->isChecked(); }

private:
    void browse();

    QLineEdit *m_file;
    QCheckBox *m_names;
    QPushButton *m_start;
};

} // namespace switchyard::views
