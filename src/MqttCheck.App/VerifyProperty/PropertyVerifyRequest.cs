using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns.LiveProperties;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Profiles;
using MqttCheck.Properties.Live;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification.Planning;

namespace MqttCheck.App.VerifyProperty;

/// <summary>Everything that the verification of a property needs beside the broker.</summary>
/// <param name="Live">How its runs are made.</param>
/// <param name="Property">The property.</param>
/// <param name="Requirement">Its requirement.</param>
/// <param name="Population">Who the clients are and what they do.</param>
/// <param name="Clients">How many clients.</param>
/// <param name="Budget">How long it may take; null for what the planned runs take.</param>
/// <param name="Log">The log to write.</param>
internal sealed record PropertyVerifyRequest(
    LiveRuns Live,
    LiveProperty Property,
    RequirementOptions Requirement,
    Population Population,
    int Clients,
    TimeBudget? Budget,
    string Log
)
{
    /// <summary>The requirement of a property, with the usual error where none is given.</summary>
    /// <exception cref="InputException">A value is not allowed.</exception>
    public static RequirementOptions RequirementOf(
        LiveProperty property,
        double? error,
        double? indifference,
        Guarantee guarantee,
        double? worstRun
    )
    {
        var requirement = property.Requirement(error ?? RunPlan.Full.Error, indifference, guarantee, worstRun);
        InputException.ThrowIfAny(requirement.Validate("--property"));
        return requirement;
    }

    /// <summary>How many runs of which length a verdict takes.</summary>
    public LivePropertyPlan Plan() => LivePropertyPlan.For(Property, Requirement, Population, Clients);

    /// <summary>A budget with which an open verdict may be decided; null where time does not help.</summary>
    /// <param name="made">What the runs showed.</param>
    public TimeSpan? MoreTime(PropertyVerificationResult made) =>
        made.Result is { Holds: null, Unusable: null, Requirement: not null } && !made.Interrupted
            ? Plan().More(made.Result.Runs.Count, made.Spent)
            : null;

    /// <summary>Refuses what cannot be verified on this machine or within the budget.</summary>
    /// <exception cref="InputException">It cannot be done, and why.</exception>
    public void Require()
    {
        Live.Require([Population]);
        SystemLimits.Require(Clients);
        if (Budget is { } given)
            Plan().Require(given, "--budget");
    }
}
