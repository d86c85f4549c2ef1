using System.Globalization;
using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Cli.Terminal;
using Interval = MqttCheck.Statistics.Interval;

namespace MqttCheck.Cli.Tests.Terminal;

/// <summary>What --format json makes of a table: values, where the text is rounded.</summary>
[TestFixture]
internal sealed class ResultJsonTests : DirectoryFixture
{
    // A row of text: a number, a text that looks like one, an interval, and what is not known.
    [Test]
    public void Text_rounds_what_JSON_has_at_full_precision()
    {
        var (text, row) = Printed(
            TableCell.Probability(2.0 / 3),
            TableCell.Probability(new Interval(1.0 / 3, 1)),
            TableCell.Milliseconds(1.23456),
            7,
            "5.0",
            TableCell.Probability(double.NaN)
        );
        Assert.That(text, Does.Contain("0.667  [0.333, 1.000]  1.235 ms  7  5.0  -"));
        Assert.That(row[0].GetDouble(), Is.EqualTo(2.0 / 3));
        Assert.That(row[1].EnumerateArray().Select(end => end.GetDouble()), Is.EqualTo([1.0 / 3, 1]));
        Assert.That((row[2].GetDouble(), row[3].GetInt32()), Is.EqualTo((1.23456, 7)));
        Assert.That(row[4].GetString(), Is.EqualTo("5.0"), "a version is a text");
        Assert.That(row[5].ValueKind, Is.EqualTo(JsonValueKind.Null));
    }

    [Test]
    public void An_infinite_end_has_the_name_that_files_of_the_tool_give_it()
    {
        var (_, row) = Printed(TableCell.Of(new Interval(0, double.PositiveInfinity), "0 .. ∞"));
        Assert.That(row[0].GetRawText().ReplaceLineEndings("").Replace(" ", ""), Is.EqualTo("[0,\"Infinity\"]"));
    }

    // 100 numbers of FsCheck's own choice; a false alarm is impossible, as the law holds for each.
    [Test]
    public void Every_number_is_read_back_to_the_bit() =>
        FsCheck.Check.QuickThrowOnFailure(
            Prop.ForAll(
                Gen.Choose(int.MinValue, int.MaxValue)
                    .Two()
                    .Select(pair => pair.Item1 / (1.0 + Math.Abs((double)pair.Item2)))
                    .ToArbitrary(),
                number =>
                {
                    var (_, row) = Printed(TableCell.Of(number), TableCell.Of(new Interval(number, number)));
                    return row[0].GetDouble() == number && row[1][1].GetDouble() == number;
                }
            )
        );

    // Headings that only JSON has are keys there, and no column of the text.
    [Test]
    public void A_column_may_be_for_JSON_only()
    {
        var table = new TextTable("value") { OnlyInJson = ["unit"] };
        table.Add(TableCell.Of(1.5, "1.5 ms"), "ms");
        var screen = new TestScreen();
        table.Print(screen.Screen);
        Assert.That(
            (screen.Output.ReplaceLineEndings("\n"), Json(table).GetProperty("unit").GetString()),
            Is.EqualTo(("value\n------\n1.5 ms\n", "ms"))
        );
    }

    [TestCase("predict", "--model", "MODEL", "--clients", "3", "--seed", "1", "--replications", "20", "--out", "OUT")]
    [TestCase("learn", "LOG", "--learner", "paper-regression", "--seed", "1", "--out", "OUT")]
    [TestCase("estimate", "Q0.95[ max latency ]", "--log", "LOG")]
    [TestCase("estimate", "D[ max latency ]", "--log", "LOG")]
    [TestCase("audit")]
    [TestCase("split", "--law", "lognormal:5ms,0.5", "--threshold", "50ms", "--effort", "20", "--seed", "1")]
    [TestCase("cluster", "show", "bridge-triangle")]
    [TestCase("cluster", "show", "tree:2x3")]
    [TestCase("cluster", "predict", "mesh:3", "-p", "P[ lost < 1 ]", "-p", "Q0.5[ delivery ]", "--replications", "5")]
    public async Task No_command_gives_a_number_or_an_interval_as_a_text(params string[] arguments)
    {
        var (_, screen) = await TestTool.RunAsync([.. TestTool.Filled(arguments, Folder), "--format", "json"]);
        var cells = JsonElement
            .Parse(screen.Output)
            .GetProperty("tables")
            .EnumerateArray()
            .SelectMany(table => table.EnumerateArray())
            .SelectMany(row => row.EnumerateObject())
            .ToList();
        Assert.That(
            cells.Where(cell => cell.Value.ValueKind == JsonValueKind.String && IsNumeric(cell.Value.GetString()!)),
            Is.Empty
        );
        Assert.That(cells.Select(cell => cell.Value.ValueKind), Has.Some.EqualTo(JsonValueKind.Number), screen.Error);
    }

    // A number, perhaps with its unit, or two numbers with what stands between the ends of an interval.
    private static bool IsNumeric(string text)
    {
        var words = text.Split([' ', '[', ']', ',', '%', '<', '>', '='], StringSplitOptions.RemoveEmptyEntries);
        return words.Length > 0
            && words.All(word =>
                word is "ms" or "s" or "us" or "to" or ".." or "-" or "+-"
                || double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
                    && double.IsFinite(value)
            );
    }

    private static (string Text, List<JsonElement> Row) Printed(params TableCell[] cells)
    {
        var table = new TextTable([.. cells.Select((_, column) => $"{column}")]);
        table.Add(cells);
        var screen = new TestScreen();
        table.Print(screen.Screen);
        return (screen.Output, [.. Json(table).EnumerateObject().Select(cell => cell.Value)]);
    }

    // The only row of a table.
    private static JsonElement Json(TextTable table)
    {
        var screen = new TestScreen();
        screen.Screen.Json = new("test");
        table.Print(screen.Screen);
        screen.Screen.Json.Print(screen.Screen);
        return JsonElement.Parse(screen.Output).GetProperty("tables")[0][0];
    }
}
