using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Marks;
using MqttCheck.Reports.Tests;

namespace MqttCheck.Plots.Tests;

/// <summary>Laws of the layout: whatever is drawn, texts stay inside and apart.</summary>
public sealed class LayoutTests
{
    [Test]
    public void Labels_that_are_spread_keep_their_distance_and_their_order_and_stay_inside() =>
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                Gen.ArrayOf(Gen.Choose(0, 2600).Select(tenth => tenth / 10.0))
                    .Where(values => values.Length is > 0 and <= 15)
                    .ToArbitrary(),
                positions =>
                {
                    var placed = Ticks.Spread(positions, 16, 260);
                    var ascending = placed.Order().ToArray();
                    return ascending[0] >= -1e-9
                        && ascending[^1] <= 260 + 1e-9
                        && ascending.Zip(ascending.Skip(1)).All(pair => pair.Second - pair.First >= 16 - 1e-9)
                        && Enumerable
                            .Range(0, placed.Length)
                            .All(i =>
                                Enumerable
                                    .Range(0, placed.Length)
                                    .All(j => positions[i] >= positions[j] || placed[i] < placed[j])
                            );
                }
            )
        );

    [Test]
    public void Ticks_lie_inside_of_their_axis_and_have_room()
    {
        var wrong =
            from low in Enumerable.Range(-40, 81)
            from span in Enumerable.Range(1, 80)
            let scale = new Scale(Math.Pow(10, low / 10.0), Math.Pow(10, (low + span) / 10.0), true)
            let candidates = Ticks.Candidates(scale, Words.Number)
            // A wide chart, a narrow one, and one on a phone.
            from length in (double[])[1000, 440, 220]
            let ticks = Ticks.Choose(candidates, scale, length, _ => 34).Select(tick => tick.At).ToArray()
            where
                ticks.Length < 4
                || ticks.Any(tick => tick < scale.Low * .998 || tick > scale.High * 1.002)
                || ticks
                    .Zip(ticks.Skip(1))
                    .Any(pair => (scale.Share(pair.Second) - scale.Share(pair.First)) * length < 34 - 1e-9)
            select $"{scale} {length}: {string.Join(' ', ticks)}";
        Assert.That(wrong, Is.Empty);
    }

    [Test]
    [Category("Whole")]
    public void Text_is_wrapped_into_lines_that_fit_without_losing_a_letter() =>
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                Gen.ArrayOf(Gen.Elements("message", "99", "%", "ms", "ü", new string('x', 200), "17", "P ≤ 0.851"))
                    .ToArbitrary(),
                words =>
                {
                    var text = string.Join(' ', words);
                    var lines = Typefaces.Wrap(text, 11.5f, 300);
                    static string Letters(string part) => string.Concat(part.Where(c => !char.IsWhiteSpace(c)));
                    return lines.All(line => Typefaces.Width(line, 11.5f) <= 300)
                        && Letters(string.Concat(lines)) == Letters(text);
                }
            )
        );

    [Test]
    [Category("Whole")]
    public void Whatever_the_names_and_counts_no_text_is_cut_or_covered() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(12),
            Prop.ForAll(
                Gen.Choose(1, 40)
                    .SelectMany(length =>
                        Gen.Choose(1, 9)
                            .SelectMany(lines => Gen.Choose(2, 3000).Select(clients => (length, lines, clients)))
                    )
                    .ToArbitrary(),
                drawn =>
                {
                    var name = new string('w', drawn.length);
                    var report = SampleReports.Full(
                        exchanges: 500,
                        clients: [1, drawn.clients, drawn.clients + 1],
                        replications: 40
                    );
                    report = report with
                    {
                        Predictions =
                        [
                            .. report.Predictions.Select(prediction =>
                                prediction with
                                {
                                    Profile = name + prediction.Profile,
                                }
                            ),
                        ],
                        Verdicts =
                        [
                            .. report.Verdicts.Select(verdict =>
                                verdict with
                                {
                                    Point = verdict.Point with { Profile = name + verdict.Point.Profile },
                                }
                            ),
                        ],
                    };
                    Picture[] pictures =
                    [
                        .. ReportPictures.Of(report),
                        DocumentPictures.Of(Pictures.Intervals(drawn.lines, name))!,
                        DocumentPictures.Of(Pictures.Curves(drawn.lines))!,
                    ];
                    foreach (var picture in pictures)
                        Assert.That(new SvgPicture(picture.ToSvg()).Problems(), Is.Empty, picture.Name);
                }
            )
        );
}
