using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Comparison;
using MqttCheck.Statistics;

namespace MqttCheck.App.Compare;

/// <summary>
/// From brokers to a comparison: explores, learns and predicts each, then compares runs that the brokers take turns in.
/// </summary>
internal static class CompareStage
{
    /// <summary>Makes the comparison.</summary>
    /// <exception cref="BrokerException">A broker cannot be started or reached, or ended.</exception>
    /// <exception cref="InputException">Something in the request does not fit.</exception>
    public static async Task<CompareDocument> RunAsync(Workplace place, CompareRequest request)
    {
        request.Require();
        var (brokers, warnings, now) = (new List<ComparedBroker>(), new List<string>(), place.Time.GetUtcNow());
        try
        {
            foreach (var (label, choice) in request.Brokers)
            {
                // Two clients of the same broker share it: what differs is the client.
                var running =
                    brokers.FirstOrDefault(one => ReferenceEquals(one.Choice.StartAsync, choice.StartAsync))?.Running
                    ?? await choice.StartAsync(place.Orderly);
                var files = RunFiles.Named(request.Directory, label, now);
                brokers.Add(new(label, choice, request.ProtocolVersion, running, files));
                place.Progress.Note($"{label}: {brokers[^1].Description} at {running.Address}");
            }
            await using var workers = await request.ConnectAsync();
            // No broker is loaded where another one denies something.
            foreach (var broker in brokers)
                await Task.Run(() =>
                    broker
                        .Campaign(request.Seed, workers.Fleets)
                        .RequireRights(broker.Running, request.Populations, place.Orderly)
                );
            var learned = request.Baseline is null
                ? await new CompareExploration(place, request, brokers, workers.Fleets, warnings).RunAsync()
                : null;
            place.Orderly.ThrowIfCancellationRequested();
            var plan = ComparePlan.For(request, learned);
            if (plan.Announcement is { } announcement)
                place.Progress.Note(announcement);
            var result = await CompareAsync(place, request, brokers, plan, workers.Fleets);
            warnings.AddRange(brokers.SelectMany((broker, index) => broker.Warnings(result.Runs[index])));
            return new CompareDescription(request, brokers, plan, result, learned).Document(
                place.Time.GetUtcNow(),
                warnings
            );
        }
        catch (OperationCanceledException) when (place.Orderly.IsCancellationRequested)
        {
            place.Progress.Note(Kept(brokers));
            throw;
        }
        finally
        {
            foreach (var broker in brokers.Select(broker => broker.Running).Distinct())
                await broker.DisposeAsync();
        }
    }

    // The exploration is the longer part, and its logs are good for other questions.
    private static string Kept(List<ComparedBroker> brokers)
    {
        string[] logs = [.. brokers.Select(broker => broker.Files.Log).Where(File.Exists)];
        return logs.Length == 0
            ? "No broker was explored, so nothing is written."
            : $"The brokers were not compared. What was seen of them is kept: {string.Join(", ", logs)}; "
                + "'mqttcheck learn FILE' learns from one.";
    }

    private static async Task<ComparisonResult> CompareAsync(
        Workplace place,
        CompareRequest request,
        List<ComparedBroker> brokers,
        ComparePlan plan,
        IFleetRunner fleets
    )
    {
        // A baseline's clients made the choices of its own seed.
        var seed = SeedPurpose.Verify.Seed(request.Baseline?.Seed ?? request.Seed);
        var campaigns = brokers.Select(broker => broker.Campaign(seed, fleets)).ToArray();
        var logs = brokers
            .Zip(
                campaigns,
                (broker, campaign) =>
                    new LoggedRun(broker.Files.VerificationLog, broker.Running, campaign, place.Time, coarse: false)
            )
            .ToArray();
        try
        {
            // One prefix per run and broker: two brokers share nothing, so one campaign serves all.
            var comparison = new ComparisonCampaign(
                [.. brokers.Select(broker => broker.Running)],
                campaigns[0],
                plan.Test,
                place.Time
            )
            {
                Clients = [.. brokers.Select(broker => broker.Choice.Client)],
                Labels = [.. brokers.Select(broker => broker.Label)],
            };
            var result = await place.Progress.ProgressAsync(
                "Compare",
                report =>
                    Task.Run(() =>
                        comparison.Run(
                            plan.Setups,
                            plan.BudgetPerBroker with
                            {
                                Time = plan.BudgetPerBroker.Time * brokers.Count,
                            },
                            [.. logs.Select(log => log.Sink)],
                            new CampaignRelay(report),
                            place.Orderly,
                            place.AtOnce
                        )
                    )
            );
            for (var index = 0; index < logs.Length; index++)
                logs[index].Close(result.Cases[index], result.Runs[index], complete: !result.Interrupted);
            return result;
        }
        finally
        {
            foreach (var log in logs)
                log.Dispose();
        }
    }
}
