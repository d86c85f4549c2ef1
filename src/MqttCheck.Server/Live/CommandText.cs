using MqttCheck.Server.Answers;
using MqttCheck.Server.Questions;
using MqttCheck.Text;
using static System.FormattableString;

namespace MqttCheck.Server.Live;

/// <summary>The commands that repeat what the page shows.</summary>
internal static class CommandText
{
    /// <summary>The arguments of 'predict' that give a scenario's refined answer.</summary>
    public static IReadOnlyList<string> Predict(VerificationAsked asked) =>
        [
            "predict",
            "--model",
            asked.Files.Model,
            "--profile",
            asked.Files.Profile,
            "--clients",
            Invariant($"{asked.Scenario.Clients}"),
            "--threshold",
            asked.Threshold.Option,
            "--replications",
            Invariant($"{asked.Replications}"),
            "--seed",
            Invariant($"{asked.Seed}"),
            .. Beyond(asked.Beyond),
        ];

    /// <summary>The arguments of 'explore' that give a log to learn a model from which has seen such a load.</summary>
    public static IReadOnlyList<string> Explore(VerificationAsked asked, string? broker) =>
        [
            "explore",
            .. broker is null ? (string[])[] : ["--broker", broker],
            "--profile",
            asked.Files.Profile,
            "--up-to-clients",
            Invariant($"{asked.Scenario.Clients}"),
            "--seed",
            Invariant($"{asked.Seed}"),
        ];

    /// <summary>The arguments of 'largest-fleet' that give the page's answer.</summary>
    public static IReadOnlyList<string> LargestFleet(Question question, Threshold threshold, CopiedFiles files) =>
        [
            "largest-fleet",
            LargestFleetSearch.PropertyOf(question, threshold),
            "--model",
            files.Model,
            "--profile",
            files.Profile,
            "--replications",
            Invariant($"{LargestFleetSearch.Replications}"),
            "--seed",
            Invariant($"{question.Seed}"),
            .. Beyond(question.Beyond),
        ];

    private static string[] Beyond(bool beyond) => beyond ? ["--beyond"] : [];

    /// <summary>A command for a shell.</summary>
    public static string Of(IEnumerable<string> arguments) =>
        string.Join(' ', arguments.Select(ShellWord.Quoted).Prepend("mqttcheck"));
}
