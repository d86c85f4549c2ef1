using System.Text.Encodings.Web;
using System.Text.Json;
using MqttCheck.Clusters.Mosquitto;

namespace MqttCheck.Clusters.Tests.Mosquitto;

/// <summary>All that reading a configuration yields, as text.</summary>
internal static class SecretSearch
{
    private static readonly JsonSerializerOptions s_readable = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>The result in JSON and as its records print themselves, or the message.</summary>
    public static string Said(string name, string path)
    {
        try
        {
            var conf = MosquittoConfReader.Read(name, path);
            return Json(conf)
                + conf
                + string.Join('\n', conf.Bridges)
                + string.Join('\n', conf.Lines)
                + string.Join('\n', conf.Listeners);
        }
        catch (InputException wrong)
        {
            return wrong.ToString();
        }
    }

    /// <summary>A configuration in JSON.</summary>
    public static string Json(MosquittoConf conf) => JsonSerializer.Serialize(conf, s_readable);
}
