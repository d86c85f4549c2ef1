using System.CommandLine;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Terminal;
using MqttCheck.Learning.Learners;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Text;

namespace MqttCheck.Cli.Options;

/// <summary>Options that several commands share, with the same name, meaning and default in each.</summary>
internal static class CommonOptions
{
    /// <summary>The most clients of a fleet.</summary>
    public const int MostClients = 20_000;

    /// <summary>The default seed. It is fixed, so that the same command makes the same choices every time.</summary>
    public const ulong DefaultSeed = 1;

    /// <summary><c>--profile</c>: names of built-in profiles or files, repeatable.</summary>
    public static Option<string[]> Profiles() =>
        new("--profile", "-p")
        {
            HelpName = "NAME|FILE",
            Description =
                "Usage profile or population: up1, up2, population, or a JSON file. May be given several times.",
            DefaultValueFactory = _ => ["up1", "up2"],
            AllowMultipleArgumentsPerToken = true,
        };

    /// <summary><c>--beyond</c>: answers for what a model has never seen.</summary>
    public static Option<bool> Beyond() =>
        new("--beyond")
        {
            Description =
                "Answer although the model has never seen such clients, for example another quality of service; "
                + "notes say what it has not seen. Without it that is refused.",
        };

    /// <summary><c>--clients</c>: client counts.</summary>
    /// <param name="defaults">The default, as on the command line.</param>
    public static Option<int[]> Clients(string defaults) =>
        new("--clients", "-n")
        {
            HelpName = "N,N,...",
            Description = $"How many clients. Default {defaults}.",
            DefaultValueFactory = _ => [.. defaults.Split(',').Select(int.Parse)],
            CustomParser = Values.Integers(1, MostClients),
        };

    /// <summary><c>--clients</c>: client counts, or the sizes of groups.</summary>
    /// <param name="defaults">The default, as on the command line.</param>
    public static Option<FleetSizes> Sizes(string defaults) =>
        new("--clients", "-n")
        {
            HelpName = "N,N,...|GROUP=N+GROUP=N,...",
            Description =
                "How many clients; or how many of each group of a population, such as "
                + $"sensors=400+dashboards=10. Default {defaults}.",
            DefaultValueFactory = _ => FleetSizes.Of([.. defaults.Split(',').Select(int.Parse)]),
            CustomParser = Sizes,
        };

    /// <summary>A parser of client counts or sizes of groups for an option.</summary>
    public static FleetSizes Sizes(System.CommandLine.Parsing.ArgumentResult result)
    {
        if (FleetSizes.TryParse(result.Tokens[0].Value, MostClients) is { } sizes)
            return sizes;
        result.AddError(
            Values.Wrong(
                result,
                $"whole numbers from 1 to {MostClients}, separated by commas, or numbers for every group of a "
                    + "population, such as sensors=400+dashboards=10"
            )
        );
        return FleetSizes.Of(1);
    }

    /// <summary><c>--threshold</c>: thresholds, or none to have them chosen.</summary>
    public static Option<double[]?> Thresholds() =>
        new("--threshold", "-t")
        {
            HelpName = "TIME,TIME,...",
            Description =
                "Thresholds such as 20ms,50ms. Default: round numbers at which the "
                + "prediction says something (probability near .6, .75, .85, .95).",
            CustomParser = Values.Durations,
        };

    /// <summary><c>--explore-for</c>: the time to explore where exploring is not all that is done.</summary>
    public static Option<TimeSpan?> ExploreFor() =>
        new("--explore-for")
        {
            HelpName = "TIME",
            Description =
                $"How long to explore a broker. Default {RunPlan.Full.Exploration.TotalSeconds}s; "
                + $"{RunPlan.Quick.Exploration.TotalSeconds}s with --quick. Longer gives narrower predictions.",
            CustomParser = result => Values.Duration(result),
        };

    /// <summary><c>--seed</c>.</summary>
    public static Option<ulong> Seed() =>
        new("--seed")
        {
            HelpName = "N",
            Description = "Seed of every random choice.",
            DefaultValueFactory = _ => DefaultSeed,
            CustomParser = Values.Seed,
        };

    /// <summary><c>--mqtt</c>: the protocol that clients speak; <see cref="Protocol"/> reads it.</summary>
    public static Option<string> Mqtt() =>
        new Option<string>("--mqtt")
        {
            HelpName = "VERSION",
            Description = "Protocol version that the clients speak: 3.1.1 or 5. Default 3.1.1.",
            DefaultValueFactory = _ => "3.1.1",
        }.Accepting("3.1.1", "5");

    /// <summary>The protocol version of an option's value.</summary>
    public static ProtocolVersion Protocol(string? version) =>
        version == "5" ? ProtocolVersion.V5 : ProtocolVersion.V311;

    /// <summary><c>--out</c>: one file.</summary>
    public static Option<FileInfo?> OutputFile(string description) =>
        new("--out", "-o") { HelpName = "FILE", Description = description };

    /// <summary><c>--out</c>: a directory for the files of a run.</summary>
    public static Option<DirectoryInfo> OutputDirectory() =>
        new("--out", "-o")
        {
            HelpName = "DIR",
            Description = "Directory for logs/, models/, predictions/, verdicts/ and report.html.",
            DefaultValueFactory = _ => new DirectoryInfo("."),
        };

    /// <summary><c>--learner</c>.</summary>
    public static Option<string?> Learner() =>
        new("--learner")
        {
            HelpName = "NAME",
            Description =
                string.Join(
                    " ",
                    LearnerCatalogue.Named.Select(candidate => $"{candidate.Name}: {candidate.Description}")
                ) + $" Default {LearnerCatalogue.Default.Name}; {RunPlan.Quick.Learner.Name} in a run with --quick.",
        };

    /// <summary>The learner of a name.</summary>
    /// <param name="name">The name that was given with <c>--learner</c>, or null.</param>
    public static ILearner Learner(string? name, ILearner @default) =>
        name is null ? @default
        : LearnerCatalogue.Named.Any(learner => learner.Name == name) ? LearnerCatalogue.ByName(name)
        : throw new InputException(
            $"--learner: '{name}' is not allowed; allowed: "
                + string.Join(", ", LearnerCatalogue.Named.Select(learner => learner.Name))
                + NearestName.Meant(name, LearnerCatalogue.Named.Select(learner => learner.Name))
        );

    /// <summary>Reads profiles by name or path.</summary>
    /// <exception cref="InputException">A profile is missing or malformed, or two have the same name.</exception>
    public static IReadOnlyList<Population> Read(IReadOnlyList<string> names)
    {
        var populations = names.SelectMany(name => name.Split(',')).Select(ProfileFile.Read).ToList();
        var twice = populations.GroupBy(population => population.Name).FirstOrDefault(group => group.Count() > 1);
        if (twice is not null)
            throw new InputException(
                $"--profile: '{twice.Key}' is given {twice.Count()} times; allowed: each name once."
            );
        return populations;
    }
}
