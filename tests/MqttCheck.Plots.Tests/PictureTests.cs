using MqttCheck.Plots.Drawing;
using MqttCheck.Reports;
using MqttCheck.Reports.Marks;
using MqttCheck.Reports.Tests;

namespace MqttCheck.Plots.Tests;

/// <summary>Looks at every picture: reads its files back.</summary>
public sealed class PictureTests
{
    private static readonly string[] s_series = ["s1", "s2", "s3", "s4", "s5", "good", "bad", "warn", "accent"];

    private static IEnumerable<TestCaseData> All() =>
        Pictures
            .OfReport()
            .Concat(Pictures.OfOthers())
            .Select(picture => new TestCaseData(picture).SetArgDisplayNames(picture.Name));

    [TestCaseSource(nameof(All))]
    public void An_SVG_file_cuts_no_text_and_covers_none_and_says_what_it_shows(object drawn)
    {
        var picture = (Picture)drawn;
        var svg = new SvgPicture(picture.ToSvg());
        Assert.That(svg.Width, Is.EqualTo(Sheet.Width));
        Assert.That(svg.Height, Is.InRange(100, 1200));
        Assert.That(svg.Labels, Has.Count.GreaterThan(5));
        Assert.That(svg.Problems(), Is.Empty);
        Assert.That(svg.Title, Is.EqualTo(picture.Title));
        Assert.That(svg.Description, Is.EqualTo(picture.Caption));
        Assert.That(
            svg.Labels.Select(label => label.Text),
            Has.Some.EqualTo(picture.Title),
            "the heading is in the picture, whole"
        );
    }

    [TestCaseSource(nameof(All))]
    public void A_picture_of_two_series_or_more_has_a_legend(object drawn)
    {
        var picture = (Picture)drawn;
        var svg = new SvgPicture(picture.ToSvg());
        var colours = s_series
            .Select(name => Palette.Colours[name])
            .Distinct()
            .Where(colour => svg.Colours.Contains(colour))
            .ToArray();
        var entries = picture.Chart.Legend.Select(key => key.Text).ToArray();
        if (colours.Length >= 2)
            Assert.That(entries, Has.Length.GreaterThanOrEqualTo(2), string.Join(", ", colours));
        Assert.That(entries, Is.SubsetOf(svg.Labels.Select(label => label.Text)), "every entry is written");
        Assert.That(entries, Is.Unique);
        if (picture.Name != "correlation")
            Assert.That(colours, Is.Not.Empty);
    }

    [TestCaseSource(nameof(All))]
    [Category("Whole")]
    public void A_PNG_file_has_two_pixels_for_each_point_of_the_SVG_file_and_ink_but_not_at_its_edge(object drawn)
    {
        var picture = (Picture)drawn;
        var svg = new SvgPicture(picture.ToSvg());
        using var png = new PngPicture(picture.ToPng());
        Assert.That((png.Width, png.Height), Is.EqualTo((2 * (int)svg.Width, 2 * (int)svg.Height)));
        Assert.That(png.Inked(), Is.InRange(.02, .7));
        Assert.That(png.TouchesEdge(), Is.False);
        Assert.That(png.Holds(Palette.Colours["ink"]), "text is drawn");
        foreach (var name in s_series.Where(name => svg.Colours.Contains(Palette.Colours[name])))
            Assert.That(png.Holds(Palette.Colours[name]), name);
    }

    [Test]
    public void A_label_that_covers_another_is_found_and_one_that_is_cut_too()
    {
        static Picture Spoilt(string text, double at) =>
            new(
                "x",
                "A heading",
                "A caption.",
                new()
                {
                    X = [Axis.Across(new(0, 1), "clients")],
                    Y = Axis.Up(new(0, 1), "probability", 260),
                    Marks = [new(MarkShape.Texts, Role.Ink, [.4, at], [.62, .6]) { Texts = ["one label", text] }],
                }
            );

        Assert.That(
            new SvgPicture(Spoilt("another one", .43).ToSvg()).Problems(),
            Is.EqualTo(new[] { "'another one' covers 'one label'" })
        );
        Assert.That(
            new SvgPicture(Spoilt("too far to the right", 1).ToSvg()).Problems(),
            Is.EqualTo(new[] { "'too far to the right' is not inside of the picture" })
        );
    }

    [Test]
    public void A_turned_label_is_measured_where_it_stands()
    {
        // Slanted names of columns do not cover each other, though their boxes do.
        string[] names = ["a long name of a column", "another name", "a third one"];
        var picture = new Picture(
            "x",
            "A heading",
            "A caption.",
            new() { X = [Axis.Columns([.. Enumerable.Range(0, 15).Select(i => names[i % 3])])], Y = Axis.Rows(["row"]) }
        );
        var svg = new SvgPicture(picture.ToSvg());
        Assert.That(svg.Problems(), Is.EqualTo(new[] { "'a long name of a column' is not inside of the picture" }));
    }

    [Test]
    public void Every_chart_of_the_page_is_a_picture_of_the_same_words()
    {
        var input = SampleReports.Full(clients: [10, 50, 100, 150]);
        var figures = HtmlReport.Figures(input);
        var pictures = ReportPictures.Of(input);
        Assert.That(pictures, Has.Count.EqualTo(figures.Count));
        Assert.That(pictures.Select(picture => picture.Name), Is.Unique);
        foreach (var (figure, picture) in figures.Zip(pictures))
        {
            Assert.That(picture.Title, Does.Contain(figure.Title).IgnoreCase);
            Assert.That(
                picture.Caption,
                Does.StartWith(figure.Caption.Split(". ")[0]),
                "the page says the same, and what can be chosen there"
            );
        }
    }

    [Test]
    public void A_picture_has_the_same_name_and_the_same_SVG_file_every_time()
    {
        var (first, second) = (Pictures.OfReport(), Pictures.OfReport());
        Assert.That(second.Select(picture => picture.Name), Is.EqualTo(first.Select(picture => picture.Name)));
        Assert.That(second.Select(picture => picture.ToSvg()), Is.EqualTo(first.Select(picture => picture.ToSvg())));
        Assert.That(
            first.Select(picture => picture.Name),
            Does.Contain("evidence-UP1-150-clients-30-ms")
                .And.Contain("probability-UP2")
                .And.Contain("quantiles-publish")
        );
    }

    [Test]
    public void A_report_without_results_has_no_picture() =>
        Assert.That(ReportPictures.Of(SampleReports.Empty), Is.Empty);

    [Test]
    public void The_fonts_hold_every_character_of_every_picture_so_that_none_depends_on_what_is_installed()
    {
        foreach (var picture in Pictures.OfReport().Concat(Pictures.OfOthers()))
        {
            foreach (var label in new SvgPicture(picture.ToSvg()).Labels)
            foreach (var bold in (bool[])[false, true])
                Assert.That(
                    Typefaces.For(label.Text, bold),
                    Is.SameAs(bold ? Typefaces.Bold : Typefaces.Regular),
                    label.Text
                );
        }
        Assert.That(Typefaces.Width("Text", 12), Is.GreaterThan(20), "text takes room");
    }

    [Test]
    public void Both_files_are_written_whole_and_an_earlier_one_is_replaced()
    {
        var directory = Path.Combine(
            TestContext.CurrentContext.WorkDirectory,
            "pictures-" + Guid.NewGuid().ToString("N")
        );
        try
        {
            var picture = Pictures.OfOthers()[0];
            Directory.CreateDirectory(directory);
            File.WriteAllText(Path.Combine(directory, picture.Name + ".svg"), "old");
            picture.Write(directory);
            Assert.That(
                Directory.EnumerateFiles(directory).Select(Path.GetFileName),
                Is.EquivalentTo(new[] { "difference-of-the-probabilities.png", "difference-of-the-probabilities.svg" })
            );
            Assert.That(File.ReadAllText(Path.Combine(directory, picture.Name + ".svg")), Is.EqualTo(picture.ToSvg()));
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }
}
