using MqttCheck.Cli.Terminal;
using MqttCheck.Properties;

namespace MqttCheck.Cli.Estimate;

/// <summary>The answers to properties for JSON: the values that the text gives in sentences, and rounds.</summary>
internal sealed class AnswerTable(Screen screen)
{
    private readonly TextTable _answers = new(
        "property",
        "traces of",
        "verdict",
        "estimate",
        "interval",
        "interval of the simulation",
        "traces",
        "judged",
        "units"
    );
    private readonly TextTable _pairs = new(
        "property",
        "traces of",
        "first model",
        "second model",
        "first",
        "second",
        "difference",
        "interval",
        "traces",
        "judged",
        "pairs"
    );
    private readonly JudgedTable _judged = new(screen);

    /// <summary>Adds an answer.</summary>
    /// <param name="where">What the traces are of.</param>
    /// <param name="verdict">What was decided; empty where nothing was asked.</param>
    public void Add(PropertyAnswer answer, string where, string verdict)
    {
        _answers.Add(
            $"{answer.Property}",
            where,
            verdict,
            TableCell.Of(answer.Estimate),
            TableCell.Of(answer.Interval),
            TableCell.Of(answer.OfSimulation),
            answer.Traces,
            answer.Judged.Judged,
            answer.Units
        );
        _answers.Record(screen);
        _judged.Add(answer.Property, where, answer.Judged);
    }

    /// <summary>Adds a comparison of two models.</summary>
    /// <param name="where">What the traces are of.</param>
    /// <param name="first">The first model's file.</param>
    /// <param name="second">The second model's file.</param>
    public void Add(PairedAnswer pair, string where, string first, string second)
    {
        _pairs.Add(
            $"{pair.Property}",
            where,
            first,
            second,
            TableCell.Of(pair.First),
            TableCell.Of(pair.Second),
            TableCell.Of(pair.Difference),
            TableCell.Of(pair.Interval),
            pair.Judged.Traces,
            pair.Judged.Judged,
            pair.Pairs
        );
        _pairs.Record(screen);
        _judged.Add(pair.Property, where, pair.Judged);
    }
}
