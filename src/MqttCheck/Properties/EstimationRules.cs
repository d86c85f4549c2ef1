using MqttCheck.Sequential;

namespace MqttCheck.Properties;

/// <summary>
/// The rules that say when to stop estimating a probability: the name of each, what it is, and how it is made from a
/// half width and an error. Commands offer them, and the audit computes the true error of each.
/// </summary>
internal static class EstimationRules
{
    /// <summary>The rule that is taken where none is chosen.</summary>
    public const string Default = "clopper-pearson";

    /// <summary>Every rule.</summary>
    public static IReadOnlyList<(
        string Name,
        string Meaning,
        Func<double, double, IEstimationRule> Create
    )> All { get; } =
    [
        ("okamoto", "a fixed number", (epsilon, error) => new OkamotoRule(epsilon, error)),
        ("chen", "adaptive", (epsilon, error) => new ChenRule(epsilon, error)),
        (Default, "sequential", (epsilon, error) => new SequentialClopperPearsonRule(epsilon, error)),
        (
            "mixture",
            "anytime-valid: a theorem at every stopping time",
            (epsilon, error) => new AnytimeMixtureRule(epsilon, error)
        ),
    ];

    /// <summary>How a rule is made.</summary>
    /// <param name="name">Its name.</param>
    public static Func<double, double, IEstimationRule> Of(string name) => All.First(rule => rule.Name == name).Create;
}
