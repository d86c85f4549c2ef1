using System.Text.Json.Serialization;

namespace MqttCheck.Reports.Marks;

/// <summary>
/// A chart in marks: all that the drawer of the page and the drawer of pictures know. Whoever adds a chart describes it
/// by this, and changes neither drawer.
/// </summary>
internal sealed record Chart
{
    /// <summary>The horizontal axis; where it depends on a choice, one for each.</summary>
    public required IReadOnlyList<Axis> X { get; init; }

    /// <summary>The vertical axis.</summary>
    public required Axis Y { get; init; }

    /// <summary>The height of the data, in points.</summary>
    public double Height { get; init; } = 260;

    /// <summary>The parts, from the back to the front.</summary>
    public IReadOnlyList<Mark> Marks { get; init; } = [];

    /// <summary>The meanings of colours and symbols.</summary>
    public IReadOnlyList<LegendKey> Legend { get; init; } = [];

    /// <summary>Lines of text above the data.</summary>
    public IReadOnlyList<Note> Notes { get; init; } = [];

    /// <summary>The names of curves beside their ends.</summary>
    public IReadOnlyList<EndName> EndNames { get; init; } = [];

    /// <summary>Which text the pointer shows.</summary>
    public Hover Hover { get; init; }

    /// <summary>The lists above the chart, from which the reader chooses.</summary>
    [JsonIgnore]
    public IReadOnlyList<Choice> Choices { get; init; } = [];

    /// <summary>The values of choices that stand elsewhere on the page, in a still picture.</summary>
    [JsonIgnore]
    public IReadOnlyDictionary<string, string> Opening { get; init; } = new Dictionary<string, string>();

    /// <summary>The threshold in a still picture; NaN where none is chosen.</summary>
    [JsonIgnore]
    public double Threshold { get; init; } = double.NaN;

    /// <summary>Whether a still picture shows what is drawn under some choices.</summary>
    public bool IsStill(IReadOnlyDictionary<string, string>? when) =>
        when is null || when.All(pair => Still(pair.Key) is var value && (value.Length == 0 || value == pair.Value));

    private string Still(string name) =>
        Opening.GetValueOrDefault(name) ?? Choices.FirstOrDefault(choice => choice.Name == name)?.Options[0].Key ?? "";
}
