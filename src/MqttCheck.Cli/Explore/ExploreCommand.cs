using System.CommandLine;
using System.Globalization;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Learning.Data;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Explore;

/// <summary><c>mqttcheck explore</c>: broker to log.</summary>
internal static class ExploreCommand
{
    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var broker = new TargetBrokerOptions();
        var profiles = CommonOptions.Profiles();
        var time = new Option<TimeSpan>("--for")
        {
            HelpName = "TIME",
            Description = "How long to explore. A minute gives a sound model.",
            DefaultValueFactory = _ => TimeSpan.FromSeconds(60),
            CustomParser = Values.Duration,
        };
        var saturated = new Option<bool>("--saturated")
        {
            Description =
                "No waits, as in the original paper, for comparison: such a log does not show how the broker behaves when it is quiet.",
        };
        var mqtt = CommonOptions.Mqtt();
        var client = ClientOption.Create();
        var seed = CommonOptions.Seed();
        var output = CommonOptions.OutputFile("The log to write (CSV). Default: logs/BROKER-TIME.csv.");
        var command = new Command(
            "explore",
            "Exercises a broker with varied load and logs every message exchange, to learn from."
        )
        {
            profiles,
            time,
            saturated,
            mqtt,
            client,
            seed,
            output,
        };
        broker.AddTo(command);
        command.SetAction(
            async (parse, _) =>
            {
                var userSeed = parse.GetValue(seed);
                var populations = CommonOptions.Read(parse.GetValue(profiles)!);
                var choice = broker.Choose(parse, userSeed) with
                {
                    Client = ClientOption.Choose(parse.GetValue(client)),
                };
                var budget = parse.GetValue(time);
                var stageSeed = SeedPurpose.Explore.Seed(userSeed);
                var cases = parse.GetValue(saturated)
                    ? TrainingDesign.Saturated(stageSeed, populations)
                    : TrainingDesign.Doe2(stageSeed, budget, populations);
                var path =
                    parse.GetValue(output)?.ToString()
                    ?? RunFiles.Named(".", choice.Specification.Name, screen.Time.GetUtcNow()).Log;
                SystemLimits.Require(cases.Max(planned => planned.Clients));
                await using var running = await choice.StartAsync(interruption.Orderly);
                var campaign = new CampaignOptions
                {
                    Seed = stageSeed,
                    Prefix = FleetSetup.NewPrefix(),
                    MaximumRequestsPerSecond = choice.RateCap,
                    ProtocolVersion = CommonOptions.Protocol(parse.GetValue(mqtt)),
                    Client = choice.Client,
                };
                var coarse = !parse.GetValue(saturated) && budget < RunPlan.SoundExploration;
                var result = await ExploreStage.RunAsync(screen, interruption, running, campaign, cases, coarse, path);
                foreach (var warning in RunWarnings.Of(result.Runs))
                    screen.Warn(warning);
                screen.Line(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"log: {path} ({result.Runs.Sum(run => run.Exchanges)} exchanges in {result.Runs.Count} of {cases.Count} cases)"
                    )
                );
                if (RunJudgement.WarmUp(result.Runs) is { } warmUp)
                    screen.Line(warmUp);
                screen.Line($"learn from it: mqttcheck learn {path}");
                if (result.Interrupted)
                    screen.Note("interrupted: the log is partial");
                return ExitCode.Of(Conclusions.Of(result.Runs, result.Interrupted));
            }
        );
        return command;
    }
}
