using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using MqttCheck.Automata.Engine;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Latency.Models;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Cli.Options;

/// <summary>
/// Options of the commands that work with automata: where latencies come from, and how a network is simulated.
/// </summary>
internal static class ModelOptions
{
    /// <summary><c>--model</c>: a learned model.</summary>
    public static Option<FileInfo?> Model() =>
        new("--model", "-m")
        {
            HelpName = "FILE",
            Description = "The model file that 'learn' wrote. Either this or --law.",
        };

    /// <summary><c>--law</c>: one law for all latencies.</summary>
    public static Option<string?> Law() =>
        new("--law")
        {
            HelpName = "LAW",
            Description =
                "One law for all latencies instead of a model, such as "
                + "lognormal:5ms,0.5 or mixture:0.9*exponential:2ms+0.1*uniform:20..40ms.",
        };

    /// <summary><c>--profile</c>: one profile.</summary>
    public static Option<string> Profile() =>
        new("--profile", "-p")
        {
            HelpName = "NAME|FILE",
            Description = "Usage profile or population: up1, up2, population, or a JSON file. Default up1.",
            DefaultValueFactory = _ => "up1",
        };

    /// <summary><c>--clients</c>: one number.</summary>
    public static Option<int> Clients() =>
        new("--clients", "-n")
        {
            HelpName = "N",
            Description = "How many clients. Default 1.",
            DefaultValueFactory = _ => 1,
            CustomParser = Values.Integer(1, 20_000),
        };

    /// <summary><c>--constant</c>: values of constants of a JANI model.</summary>
    public static Option<string[]> Constants() =>
        new("--constant")
        {
            HelpName = "NAME=VALUE",
            Description = "The value of a constant of the model. May be given several times.",
            DefaultValueFactory = _ => [],
        };

    /// <summary><c>--simultaneous</c>.</summary>
    public static Option<SimultaneousSteps> Simultaneous() =>
        new("--simultaneous")
        {
            HelpName = "CHOICE",
            Description =
                "What happens when steps that influence each other are possible at the same time: refuse "
                + "(an error), in-order (as declared), uniform (any, with equal probability). Default refuse.",
            CustomParser = result =>
                result.Tokens[0].Value switch
                {
                    "refuse" => SimultaneousSteps.Refuse,
                    "in-order" => SimultaneousSteps.InOrder,
                    "uniform" => SimultaneousSteps.Uniform,
                    _ => Wrong(result, "refuse, in-order, uniform"),
                },
        };

    /// <summary><c>--as-soon-as-possible</c>.</summary>
    public static Option<bool> AsSoonAsPossible() =>
        new("--as-soon-as-possible")
        {
            Description =
                "Take a step as soon as it is possible. Without this, a step that no "
                + "invariant forces is an error, since the model does not say when it is taken.",
        };

    /// <summary><c>--maximum-steps</c>.</summary>
    public static Option<int> MaximumSteps() =>
        new("--maximum-steps")
        {
            HelpName = "N",
            Description = "The most steps of one run; one that needs more is given up with an error. Default 10000000.",
            DefaultValueFactory = _ => 10_000_000,
            CustomParser = Values.Integer(1, int.MaxValue),
        };

    /// <summary><c>--confidence</c>.</summary>
    public static Option<double> Confidence() =>
        new("--confidence")
        {
            HelpName = "P",
            Description = "Confidence of the interval. Default 0.99.",
            DefaultValueFactory = _ => .99,
            CustomParser = Values.Between(.5, 1),
        };

    /// <summary>The latency model that was given.</summary>
    /// <exception cref="InputException">None or both are given, or one is malformed.</exception>
    public static LatencyModel Latencies(FileInfo? model, string? law) =>
        (model, law) switch
        {
            ({ } file, null) => LatencyModelFile.Read(file.ToString()).Model,
            (null, { } text) => new LawLatencyModel(LawText.Parse(text, "--law")),
            _ => throw new InputException(
                "latencies: "
                    + (law is null ? "neither --model nor --law is given" : "--model and --law are both given")
                    + "; allowed: one of them"
            ),
        };

    /// <summary>The constants that were given.</summary>
    /// <exception cref="InputException">One is malformed or given twice.</exception>
    public static IReadOnlyDictionary<string, double> Constants(IReadOnlyList<string> given)
    {
        var values = new Dictionary<string, double>(StringComparer.Ordinal);
        foreach (var text in given)
        {
            var at = text.IndexOf('=', StringComparison.Ordinal);
            var value = text[(at + 1)..];
            double number = value == "true" ? 1 : 0;
            if (
                at < 1
                || (
                    value is not ("true" or "false")
                    && !(
                        double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out number)
                        && double.IsFinite(number)
                    )
                )
            )
                throw new InputException(
                    $"--constant: '{text}' is not allowed; allowed is NAME=VALUE with a number, true or false."
                );
            if (!values.TryAdd(text[..at], number))
                throw new InputException($"--constant: {text[..at]} is given twice; allowed: once.");
        }
        return values;
    }

    private static SimultaneousSteps Wrong(ArgumentResult result, string allowed)
    {
        result.AddError($"--simultaneous: '{result.Tokens[0].Value}' is not allowed; allowed is {allowed}.");
        return default;
    }
}
