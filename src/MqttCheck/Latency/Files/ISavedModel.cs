using System.Text.Json;

namespace MqttCheck.Latency.Files;

/// <summary>A latency model that a model file can hold.</summary>
internal interface ISavedModel
{
    /// <summary>Writes the parameters as members of the object that is open.</summary>
    /// <param name="writer">Receives the members.</param>
    void Write(Utf8JsonWriter writer);
}
