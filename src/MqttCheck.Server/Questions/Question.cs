namespace MqttCheck.Server.Questions;

/// <summary>The question that a page asks: one to four scenarios, and a threshold that they share.</summary>
internal sealed record Question
{
    /// <summary>The most scenarios that are compared.</summary>
    public const int MostScenarios = 4;

    /// <summary>Which page asks; a page has one question at a time.</summary>
    public required string Session { get; init; }

    /// <summary>The number of the question on its page; a higher one replaces a lower one.</summary>
    public required long Request { get; init; }

    /// <summary>The scenarios, at least one.</summary>
    public required IReadOnlyList<WhatIfScenario> Scenarios { get; init; }

    /// <summary>The threshold; null to have one chosen that says something.</summary>
    public required Threshold? Threshold { get; init; }

    /// <summary>The user's seed, as commands take it.</summary>
    public required ulong Seed { get; init; }

    /// <summary>Whether an answer is wanted for what a model has never seen, as with '--beyond'.</summary>
    public required bool Beyond { get; init; }

    /// <summary>The probability that is wanted of the largest fleet.</summary>
    public required double WantedProbability { get; init; }
}
