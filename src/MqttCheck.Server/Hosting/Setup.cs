using System.Text.Json;
using MqttCheck.Profiles;
using MqttCheck.Server.Questions;

namespace MqttCheck.Server.Hosting;

/// <summary>The facts that a page must know before it asks.</summary>
internal sealed record Setup
{
    /// <summary>The version of the tool.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>The live broker; null where nothing can be verified.</summary>
    public required string? Broker { get; init; }

    /// <summary>The models.</summary>
    public required IReadOnlyList<OfferedModel> Models { get; init; }

    /// <summary>The built-in profiles, by name.</summary>
    public required IReadOnlyDictionary<string, JsonElement> Profiles { get; init; }

    /// <summary>The most clients of a scenario.</summary>
    public int MostClients { get; init; } = QuestionReader.MostClients;

    /// <summary>The most scenarios that are compared.</summary>
    public int MostScenarios { get; init; } = Question.MostScenarios;

    /// <summary>The built-in profiles as the page edits them.</summary>
    public static IReadOnlyDictionary<string, JsonElement> BuiltInProfiles { get; } =
        ProfileFile.BuiltInNames.ToDictionary(
            name => name,
            name => JsonElement.Parse(ProfileDocument.Of(ProfileFile.Read(name)).Json)
        );
}
