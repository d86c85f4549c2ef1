using System.Text.Json;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Tests.Marks;

public sealed class ChartJsonTests
{
    private static readonly double[] s_long = [.. Enumerable.Range(0, 20).Select(i => i / 3.0)];

    private static Chart Of(params Mark[] marks) =>
        new()
        {
            X = [Axis.Across(new(0, 7), "x")],
            Y = Axis.Up(new(0, 7), "y", 260),
            Marks = marks,
        };

    private static Dictionary<string, Chart> Charts(params Mark[] marks) => new() { ["chart"] = Of(marks) };

    [Test]
    public void Numbers_have_five_digits_and_what_is_not_finite_is_null()
    {
        var mark = new Mark(MarkShape.Steps, Role.Bad, [1 / 3.0, double.PositiveInfinity], [0, 1]);
        Assert.That(
            ChartJson.Of(Of(mark)),
            Does.Contain("""[{"shape":"steps","role":"bad","x":[0.33333,null],"y":[0,1],"opacity":1,"size":2}]""")
        );
    }

    [Test]
    public void A_long_column_stands_once_however_many_marks_show_it()
    {
        double[] other = [.. s_long.Select(value => value / 2)];
        var charts = Charts(new(MarkShape.Dots, Role.S1, s_long, s_long), new(MarkShape.Line, Role.S1, s_long, other));
        using var json = JsonDocument.Parse(ChartJson.Of(charts, "{}"));
        var marks = json.RootElement.GetProperty("chart").GetProperty("marks");
        Assert.That(
            marks
                .EnumerateArray()
                .SelectMany(mark => new[] { mark.GetProperty("x"), mark.GetProperty("y") })
                .Select(at => at.GetInt32()),
            Is.EqualTo(new[] { 0, 0, 0, 1 })
        );
        Assert.That(json.RootElement.GetProperty("columns")[0].GetArrayLength(), Is.EqualTo(20));
    }

    [Test]
    public void A_column_of_the_document_is_named_by_its_path()
    {
        var charts = Charts(new Mark(MarkShape.Dots, Role.S1, s_long, [1, 2]));
        var written = "[" + string.Join(',', s_long.Select(FiniteNumberConverter.Text)) + "]";
        var document = $"{{\"report\":{{\"logs\":[[],{{\"x\":{written}}}]}}}}";
        Assert.That(ChartJson.Of(charts, document), Does.EndWith("\"columns\":[\"report.logs.1.x\"]}"));
    }
}
