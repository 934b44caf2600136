// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A picture as a file: what the window shows, below a head that says of what and of which time it is.
#include "views/charts/time_canvas.h"

namespace switchyard::views {

enum class PictureFormat { Png, Svg };

// subject: context, namespace and cluster. PNG in twice the pixels, for print and dense screens.
QByteArray pictureBytes(const TimeCanvas &canvas, const QString &title, const QString &subject, PictureFormat format);

} // namespace switchyard::views
