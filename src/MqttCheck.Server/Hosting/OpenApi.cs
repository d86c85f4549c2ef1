namespace MqttCheck.Server.Hosting;

/// <summary>The description of the API (OpenAPI 3.1).</summary>
internal static class OpenApi
{
    private static readonly Lazy<string> s_text = new(() => WhatIfPage.Resource("openapi.json"));

    /// <summary>The file's text.</summary>
    public static string Text => s_text.Value;
}
