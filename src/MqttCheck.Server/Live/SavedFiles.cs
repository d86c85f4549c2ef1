using MqttCheck.Server.Questions;
using MqttCheck.Shards;
using MqttCheck.Text;

namespace MqttCheck.Server.Live;

/// <summary>
/// Saves what commands name. A profile's file is named by its content, so a copied command means the same whatever is
/// asked later. A model's file is named as it is, unless its content has changed since it was read.
/// </summary>
/// <param name="directory">The output directory.</param>
internal sealed class SavedFiles(string directory)
{
    /// <summary>Saves model and profile of a scenario where they are not files yet.</summary>
    /// <exception cref="InputException">A file cannot be written.</exception>
    public CopiedFiles Save(WhatIfScenario scenario) => new(Model(scenario.Model), Profile(scenario.Profile));

    /// <summary>Saves a topology file under a name by its content.</summary>
    /// <param name="name">The topology's name, which is a word without separators.</param>
    /// <param name="json">The file's content.</param>
    /// <returns>Its path.</returns>
    /// <exception cref="InputException">It cannot be written.</exception>
    public string SaveTopology(string name, byte[] json)
    {
        var path = Path.Combine(directory, "topologies", $"{name}-{JobDescription.HashOf(json)[..12]}.json");
        Write(path, json);
        return path;
    }

    private string Profile(ProfileDocument profile)
    {
        if (profile.BuiltInName is { } builtIn)
            return builtIn;
        var path = Path.Combine(directory, "profiles", profile.FileName);
        Write(path, profile.Json);
        return path;
    }

    private string Model(ServedModel model)
    {
        if (HashOf(model.File) == model.Sha256)
            return model.File;
        var path = Path.Combine(directory, "models", $"{model.Name}-{model.Sha256[..12]}.json");
        Write(path, model.Content);
        return path;
    }

    private static string? HashOf(string file)
    {
        try
        {
            return JobDescription.HashOf(File.ReadAllBytes(file));
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    // A file with this content may be read by a command meanwhile.
    private static void Write(string path, byte[] content)
    {
        try
        {
            if (!File.Exists(path) || !File.ReadAllBytes(path).AsSpan().SequenceEqual(content))
                AtomicFile.Write(path, content);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new InputException($"\"{path}\" cannot be written: {failure.Message}", failure);
        }
    }
}
