using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns.LiveProperties;
using MqttCheck.Brokers.Processes;
using MqttCheck.Properties;
using MqttCheck.Properties.Live;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.App.VerifyProperty;

/// <summary>The stage from a property and a live broker to a verdict.</summary>
internal static class PropertyVerifyStage
{
    /// <summary>Makes the runs and their log. Call <see cref="PropertyVerifyRequest.Require"/> before.</summary>
    public static async Task<PropertyVerificationResult> RunAsync(
        Workplace place,
        IBrokerUnderTest broker,
        PropertyVerifyRequest request
    )
    {
        place.Progress.Warn(PropertySense.Notes(request.Property.Property, request.Population));
        var plan = request.Plan();
        var budget = request.Budget ?? new(plan.Budget(request.Requirement));
        place.Progress.Note(Describe(request, plan, budget.Time));
        var campaign = request.Live.Campaign(SeedPurpose.Verify);
        using var log = new LoggedRun(request.Log, broker, campaign, place.Time, coarse: false);
        var test = new LivePropertyTest(request.Property, request.Requirement, plan.Runs);
        var result = await place.Progress.ProgressAsync(
            "Verify",
            report =>
                Task.Run(() =>
                    new PropertyVerification(broker, campaign, place.Time).Run(
                        test,
                        request.Population,
                        request.Clients,
                        plan.CountedSequences,
                        budget,
                        log.Sink,
                        new CampaignRelay(report),
                        place.Orderly,
                        place.AtOnce
                    )
                )
        );
        log.Close(result.Cases, result.Runs, complete: !result.Interrupted);
        return result;
    }

    private static string Describe(PropertyVerifyRequest request, LivePropertyPlan plan, TimeSpan budget) =>
        Invariant($"verifying {request.Property}: runs of {Counted.Of(request.Clients, "client")} with ")
        + Invariant($"{Counted.Of(plan.CountedSequences, "sequence")} each, about ")
        + Invariant($"{plan.RunTime.TotalSeconds:0.#} s a run; ")
        + Invariant($"{plan.Announcement}; at most {budget.TotalSeconds:0} s")
        + (
            request.Requirement.Guarantee == Guarantee.Any
                ? $". {VerdictPromise.Borne(plan.Runs.InvalidRunsBorne(request.Requirement)).TrimEnd('.')}"
                : ""
        );
}
