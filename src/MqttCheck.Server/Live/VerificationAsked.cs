using MqttCheck.Server.Questions;

namespace MqttCheck.Server.Live;

/// <summary>A prediction that is to be verified on the live broker.</summary>
/// <param name="Scenario">The scenario.</param>
/// <param name="Threshold">The threshold.</param>
/// <param name="Replications">How many setups the prediction simulates.</param>
/// <param name="Seed">The user's seed, of prediction and verification.</param>
/// <param name="Beyond">Whether the prediction is wanted although the model has never seen such clients.</param>
/// <param name="Files">The model and the profile as files.</param>
internal sealed record VerificationAsked(
    WhatIfScenario Scenario,
    Threshold Threshold,
    int Replications,
    ulong Seed,
    bool Beyond,
    CopiedFiles Files
);
