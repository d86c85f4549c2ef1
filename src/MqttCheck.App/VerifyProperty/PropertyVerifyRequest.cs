using MqttCheck.App.Runs;
using MqttCheck.Profiles;
using MqttCheck.Properties.Live;
using MqttCheck.Requirements;

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
    TimeSpan? Budget,
    string Log
);
