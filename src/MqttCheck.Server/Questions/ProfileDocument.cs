using System.Text;
using MqttCheck.Json;
using MqttCheck.Profiles;
using MqttCheck.Shards;

namespace MqttCheck.Server.Questions;

/// <summary>
/// A profile or population in the one form that has a name by its content: what the writer of files makes of it.
/// </summary>
internal sealed class ProfileDocument
{
    private const int ShownDigits = 12;

    private static readonly Lazy<IReadOnlyDictionary<string, string>> s_builtIn = new(() =>
        ProfileFile.BuiltInNames.ToDictionary(name => Of(ProfileFile.Read(name)).Sha256, name => name)
    );

    private ProfileDocument(byte[] json, Population population) =>
        (Json, Population, Sha256) = (json, population, JobDescription.HashOf(json));

    /// <summary>The file's content.</summary>
    public byte[] Json { get; }

    /// <summary>The population that a command reads from that content.</summary>
    public Population Population { get; }

    /// <summary>SHA-256 of <see cref="Json"/>, in lower-case hexadecimal.</summary>
    public string Sha256 { get; }

    /// <summary>The name of the built-in profile that says the same; null where none does.</summary>
    public string? BuiltInName => s_builtIn.Value.GetValueOrDefault(Sha256);

    /// <summary>The name of a file with this content.</summary>
    public string FileName => $"{Population.Name}-{Sha256[..ShownDigits]}.json";

    /// <summary>The content as text.</summary>
    public string Text => Encoding.UTF8.GetString(Json);

    /// <summary>
    /// The document of a population. The simulated population is read back from it, as a command does.
    /// </summary>
    public static ProfileDocument Of(Population population)
    {
        var json = JsonText.Of(writer => ProfileFile.Write(writer, population));
        return new(json, ProfileFile.Parse(json, population.Name));
    }
}
